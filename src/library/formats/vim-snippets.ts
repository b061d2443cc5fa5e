// Snippet files of Vim: UltiSnips and SnipMate, which share the ending `.snippets`.
import { type Code, tabStops } from "./codes.ts";
import { DifferentNames, fileName } from "./file-names.ts";
import { eachFile, type Format, textFile } from "./format.ts";
import { Found, firstText } from "./found-codes.ts";
import type { InputFile } from "./input-file.ts";
import { isOfAnyLanguage, vimFiletypes } from "./language-names.ts";
import { counted } from "./messages.ts";
import { keepData, type ToolData, takeData } from "./note-data.ts";
import { folderNames, lost } from "./paths-of-tree.ts";
import { readBody, syntaxes, warnOfTabStops, writeBody } from "./tab-stops.ts";
import type { Tree, TreeSnippet, Warning } from "./tree.ts";
import { type TreeBuilder, warnOfComments } from "./tree-builder.ts";

/** Python that UltiSnips runs before or after it inserts a text. */
const actionNames = ["context", "pre_expand", "post_expand", "post_jump"] as const;

/** The name of the file for every language. */
const everyLanguage = { ultisnips: "all", snipmate: "_" };

const linesOf = ({ text }: InputFile): string[] => text.split(/\r\n|\r|\n/);

const hasSnippets = ({ text }: InputFile): boolean => /^snippet[ \t]+\S/m.test(text);
const hasEnds = ({ text }: InputFile): boolean => /^endsnippet\s*$/m.test(text);

/** In Vim's own language, Python, or a shell. */
const code: Code = { name: "pieces of code", pattern: /(?<!\\)`[^`\n]+`/ };

export const ultisnips: Format = {
  name: "UltiSnips",
  source: "https://github.com/SirVer/ultisnips/blob/master/doc/UltiSnips.txt",
  claims: (file) => hasSnippets(file) && hasEnds(file),
  codes: [tabStops, code],
  read: eachFile(readUltisnips),
  write: (tree) => ({
    files: writeFiles(tree, "ultisnips", (snippets) => snippets.map(writeUltisnip)),
    warnings: [
      ...lost("UltiSnips", tree, { folders: true }, "ultisnips"),
      ...lineEnds(tree),
      ...warnOfTabStops(syntaxes.ultisnips, "UltiSnips", tree),
      ...warnOfActions(tree),
    ],
  }),
};

export const snipmate: Format = {
  name: "SnipMate",
  source: "https://github.com/garbas/vim-snipmate/blob/master/doc/SnipMate.txt",
  claims: (file) => hasSnippets(file) && !hasEnds(file) && /^snippet[ \t][^\n\r]*[\r\n]+[ \t]/m.test(file.text),
  codes: [tabStops, code],
  read: eachFile(readSnipmate),
  write: (tree) => ({
    files: writeFiles(tree, "snipmate", writeSnipmates),
    warnings: [
      ...lost("SnipMate", tree, { folders: true }, "snipmate"),
      ...lineEnds(tree),
      ...warnOfTabStops(syntaxes.snipmate, "SnipMate", tree),
    ],
  }),
};

/** The file of a language is named by it; `all` and `_` are for every language. */
const typeOf = ({ stem }: InputFile): string =>
  /^(?:_|(?:all|global)(?![^-_]))/.test(stem) ? "plaintext" : vimFiletypes.typeOf(stem.split(/[-_]/)[0] ?? stem);

/** The warning of a line `extends`. Its languages are separated by commas, spaces, or both. */
const notIncluded = (languages: readonly string[]): string => {
  const names = languages.flatMap((each) => each.split(",")).filter(Boolean);
  return `Snippets inherited from ${names.map((name) => `"${name}"`).join(", ")} are not included.`;
};

/** The warning of a line that removes snippets of other files. */
const notRead = (word: string): string => `"${word}" is ignored: an import does not remove snippets.`;

const folderOf = ({ folders, stem }: InputFile): readonly string[] => [...folders, stem];

function readUltisnips(file: InputFile, into: TreeBuilder): void {
  const lines = linesOf(file);
  let priority: string | undefined;
  let comments = false;
  let actions: Record<string, string> = {};
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const place = file.at(index + 1);
    const block = /^(global|snippet)(?=\s|$)/.exec(line)?.[1];
    if (block !== undefined) {
      let end = index + 1;
      while (end < lines.length && lines[end]?.trimEnd() !== `end${block}`) end += 1;
      if (end === lines.length) {
        into.leaveOut(place, `This "${block}" block has no matching "end${block}". The rest of the file is left out.`);
        return;
      }
      const content = lines.slice(index + 1, end).join("\n");
      if (block === "global") into.warn(place, "Code that runs before every snippet in the file is left out.");
      else
        addUltisnip(
          file,
          line,
          content,
          { ...(priority !== undefined && priority !== "0" && { priority }), ...actions },
          index,
          into,
        );
      index = end;
      actions = {};
      continue;
    }
    const [word = "", ...rest] = line.trim().split(/\s+/);
    if (word === "priority") priority = rest[0];
    else if (actionNames.some((name) => name === word)) actions[word] = rest.join(" ");
    else if (word === "extends") into.warn(place, notIncluded(rest));
    else if (word === "clearsnippets") into.warn(place, notRead(word));
    else if (word.startsWith("#")) comments = true;
    else if (word !== "") into.leaveOut(place, "The line could not be read.");
  }
  if (comments) warnOfComments(file.at(), into);
}

/** `trigger`, `trigger "description"`, `trigger "description" options`; a trigger with spaces is put between two equal characters. */
function addUltisnip(
  file: InputFile,
  line: string,
  content: string,
  more: ToolData,
  index: number,
  into: TreeBuilder,
): void {
  const header = line.slice("snippet".length).trim();
  const described = /^(?<trigger>.*\S)\s+"(?<description>[^"]*)"(?:\s+(?<options>[A-Za-z!]+))?$/.exec(header)?.groups;
  const trigger = described?.trigger ?? header;
  const options = described?.options;
  const isQuoted =
    trigger.length > 2 && trigger[0] === trigger.at(-1) && (/\s/.test(trigger) || options?.includes("r") === true);
  const shortcut = isQuoted ? trigger.slice(1, -1) : trigger;
  const body = readBody(syntaxes.ultisnips, content);
  const data: ToolData = { ...(body.isTemplate && { isTemplate: true }), ...(options && { options }), ...more };
  const kept = keepData("ultisnips", "", data, file.at(index + 1), into);
  into.add(file.at(index + 1), {
    title: described?.description || shortcut,
    content: body.content,
    type: typeOf(file),
    shortcut,
    note: kept.note,
    further: kept.further,
    folder: folderOf(file),
  });
}

function readSnipmate(file: InputFile, into: TreeBuilder): void {
  const lines = linesOf(file);
  let comments = false;
  let version: string | undefined;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const place = file.at(index + 1);
    const header = /^snippet!*\s+(?<trigger>\S+)(?:\s+(?<description>.*\S))?\s*$/.exec(line)?.groups;
    if (!header) {
      if (/^extends\s/.test(line)) into.warn(place, notIncluded(line.trim().split(/\s+/).slice(1)));
      else if (line.startsWith("#")) comments = true;
      else if (/^delete\s/.test(line)) into.warn(place, notRead("delete"));
      else if (/^version\s/.test(line)) version = line.trim().split(/\s+/)[1];
      else if (line.trim() !== "") into.leaveOut(place, "The line could not be read.");
      continue;
    }
    let end = index + 1;
    while (end < lines.length && (lines[end] === "" || /^[ \t]/.test(lines[end] ?? ""))) end += 1;
    const body = lines.slice(index + 1, end);
    while (body.at(-1) === "") body.pop();
    const indent = /^(?:\t| +)/.exec(body.find((each) => each.trim() !== "") ?? body[0] ?? "")?.[0] ?? "";
    const { content, isTemplate } = readBody(
      syntaxes.snipmate,
      body.map((each) => (each.startsWith(indent) ? each.slice(indent.length) : each.trimStart())).join("\n"),
    );
    const data: ToolData = isTemplate ? { isTemplate, ...(version !== undefined && { version }) } : {};
    const kept = keepData("snipmate", "", data, place, into);
    into.add(place, {
      title: header.description ?? header.trigger ?? "",
      content,
      type: typeOf(file),
      shortcut: header.trigger,
      note: kept.note,
      further: kept.further,
      folder: folderOf(file),
    });
    index = end - 1;
  }
  if (comments) warnOfComments(file.at(), into);
}

/** Vim reads any line end as the same. */
function lineEnds({ snippets }: Tree): Warning[] {
  const found = snippets.filter((snippet) => firstText(snippet).includes("\r"));
  return found.length === 0
    ? []
    : [
        {
          message: `The line endings of ${counted(found.length, "snippet")} are converted to Unix style.`,
        },
      ];
}

function warnOfActions({ snippets }: Tree): Warning[] {
  const found = new Found();
  for (const snippet of snippets) {
    const { data } = takeData("ultisnips", snippet);
    found.add(actionNames.find((name) => data[name] !== undefined));
  }
  return found.warning("settings with Python code", "UltiSnips runs it when you insert the snippet.");
}

/** The files of folders and languages. Vim loads only those whose names begin with a type of file. */
function writeFiles(tree: Tree, tool: keyof typeof everyLanguage, write: (snippets: TreeSnippet[]) => string[]) {
  const namesOf = folderNames(tree);
  const names = new DifferentNames();
  const byStem = Map.groupBy(tree.snippets, ({ folder, variations: [first] }) => {
    const type = first?.type ?? "plaintext";
    const filetype = isOfAnyLanguage(type) ? everyLanguage[tool] : fileName(vimFiletypes.nameOf(type));
    const name = namesOf(folder).join("-");
    // A folder that was imported from such a file already has its name.
    const isNamed = name === filetype || name.startsWith(`${filetype}_`);
    return isNamed ? name : [filetype, ...(name === "" ? [] : [name])].join("_");
  });
  return [...byStem].map(([stem, snippets]) =>
    textFile(names.of(fileName(stem), ".snippets"), `${write(snippets).join("\n\n")}\n`),
  );
}

/** A trigger must not have spaces in SnipMate; where there is no shortcut, the title becomes one. */
const triggerOf = ({ shortcut, title }: TreeSnippet): string => shortcut ?? title;
const onOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

function writeUltisnip(snippet: TreeSnippet): string {
  const { data } = takeData("ultisnips", snippet);
  const [options, priority] = [data.options, data.priority].map((each) => onOneLine(String(each ?? "")));
  const trigger = onOneLine(triggerOf(snippet));
  const isRegular = options?.includes("r");
  const quote = ["!", "|", "~", "%", "@"].find((each) => !trigger.includes(each)) ?? "!";
  const shown = /\s/.test(trigger) || isRegular ? quote + trigger + quote : trigger;
  const title = `"${onOneLine(snippet.title).replaceAll('"', "'")}"`;
  // A line of the text that would end the snippet, or one of them that begins with it.
  const content = writeBody(syntaxes.ultisnips, snippet).replaceAll(/^endsnippet(?=\s*$)/gm, " endsnippet");
  return [
    ...(priority ? [`priority ${priority}`] : []),
    ...actionNames.flatMap((name) => (data[name] === undefined ? [] : [`${name} ${onOneLine(String(data[name]))}`])),
    `snippet ${shown} ${title}${options ? ` ${options}` : ""}`,
    content,
    "endsnippet",
    // It holds for what follows, too.
    ...(priority ? ["priority 0"] : []),
  ].join("\n");
}

/** The version of SnipMate's syntax in which every special character can be escaped. */
const snipmateVersion = "1";

function writeSnipmates(snippets: readonly TreeSnippet[]): string[] {
  const byVersion = Map.groupBy(snippets, (snippet) => {
    const { isTemplate, version } = takeData("snipmate", snippet).data;
    return isTemplate !== true ? snipmateVersion : version === undefined ? undefined : onOneLine(String(version));
  });
  // A version holds for what follows, so that templates without one come first.
  const sorted = [...byVersion].sort(([a], [b]) => Number(a !== undefined) - Number(b !== undefined));
  return sorted.flatMap(([version, each]) => [
    ...(version === undefined ? [] : [`version ${version}`]),
    ...each.map(writeSnipmate),
  ]);
}

function writeSnipmate(snippet: TreeSnippet): string {
  const trigger = onOneLine(triggerOf(snippet)).replaceAll(" ", "_");
  // An empty line between snippets belongs to none of them.
  const lines = writeBody(syntaxes.snipmate, snippet)
    .split(/\r\n|\r|\n/)
    .map((line) => `\t${line}`);
  return [`snippet ${trigger} ${onOneLine(snippet.title)}`, ...lines].join("\n");
}
