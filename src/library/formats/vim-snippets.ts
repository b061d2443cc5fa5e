// Snippet files of Vim: UltiSnips and SnipMate, which share the ending `.snippets`.
import { type Code, tabStops } from "./codes.ts";
import { DifferentNames, fileName } from "./file-names.ts";
import { eachFile, type Format, textFile } from "./format.ts";
import type { InputFile } from "./input-file.ts";
import { counted } from "./messages.ts";
import { keepData, onlyText, type ToolData, takeData } from "./note-data.ts";
import { folderNames, lost, snippetsByFolder } from "./paths-of-tree.ts";
import type { Tree, TreeSnippet, Warning } from "./tree.ts";
import { type TreeBuilder, warnOfComments } from "./tree-builder.ts";

const ultisnipsTool = "ultisnips";

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
    files: writeFiles(tree, writeUltisnip),
    warnings: [...lost("UltiSnips", tree, { folders: true }, ultisnipsTool), ...lineEnds(tree)],
  }),
};

export const snipmate: Format = {
  name: "SnipMate",
  source: "https://github.com/garbas/vim-snipmate/blob/master/doc/SnipMate.txt",
  claims: (file) => hasSnippets(file) && !hasEnds(file) && /^snippet[ \t][^\n\r]*[\r\n]+[ \t]/m.test(file.text),
  codes: [tabStops, code],
  read: eachFile(readSnipmate),
  write: (tree) => ({
    files: writeFiles(tree, writeSnipmate),
    warnings: [...lost("SnipMate", tree, { folders: true }), ...lineEnds(tree)],
  }),
};

/** The file of a language is named by it; `all` and `_` are for every language. */
const typeOf = ({ stem }: InputFile): string =>
  /^(?:all|_|global)$/.test(stem) ? "plaintext" : (stem.split(/[-_]/)[0] ?? stem);

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
    else if (/^(?:context|pre_expand|post_expand|post_jump)$/.test(word)) actions[word] = rest.join(" ");
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
  const data: ToolData = { ...(options && { options }), ...more };
  const kept = keepData(ultisnipsTool, "", data, file.at(index + 1), into);
  into.add(file.at(index + 1), {
    title: described?.description || shortcut,
    content,
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
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const place = file.at(index + 1);
    const header = /^snippet!*\s+(?<trigger>\S+)(?:\s+(?<description>.*\S))?\s*$/.exec(line)?.groups;
    if (!header) {
      if (/^extends\s/.test(line)) into.warn(place, notIncluded(line.trim().split(/\s+/).slice(1)));
      else if (line.startsWith("#")) comments = true;
      else if (/^delete\s/.test(line)) into.warn(place, notRead("delete"));
      else if (line.trim() !== "" && !/^version\s/.test(line)) into.leaveOut(place, "The line could not be read.");
      continue;
    }
    let end = index + 1;
    while (end < lines.length && (lines[end] === "" || /^[ \t]/.test(lines[end] ?? ""))) end += 1;
    const body = lines.slice(index + 1, end);
    while (body.at(-1) === "") body.pop();
    const indent = /^(?:\t| +)/.exec(body.find((each) => each.trim() !== "") ?? "")?.[0] ?? "";
    into.add(place, {
      title: header.description ?? header.trigger ?? "",
      content: body.map((each) => (each.startsWith(indent) ? each.slice(indent.length) : each.trimStart())).join("\n"),
      type: typeOf(file),
      shortcut: header.trigger,
      folder: folderOf(file),
    });
    index = end - 1;
  }
  if (comments) warnOfComments(file.at(), into);
}

/** Vim reads any line end as the same. */
function lineEnds({ snippets }: Tree): Warning[] {
  const found = snippets.filter(({ variations: [first] }) => first?.content.includes("\r"));
  return found.length === 0
    ? []
    : [
        {
          message: `The line endings of ${counted(found.length, "snippet")} are converted to Unix style.`,
        },
      ];
}

type WriteOne = (snippet: TreeSnippet) => string;

function writeFiles(tree: Tree, writeOne: WriteOne) {
  const namesOf = folderNames(tree);
  const names = new DifferentNames();
  return [...snippetsByFolder(tree)].map(([folder, snippets]) => {
    // Vim takes the name up to a `_` or `-` for a language.
    const path = names.of(fileName(namesOf(folder).join("-") || "all"), ".snippets");
    return textFile(path, `${snippets.map(writeOne).join("\n\n")}\n`);
  });
}

/** A trigger must not have spaces in SnipMate; where there is no shortcut, the title becomes one. */
const triggerOf = ({ shortcut, title }: TreeSnippet): string => shortcut ?? title;
const onOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

const writeUltisnip: WriteOne = (snippet) => {
  const { variations, data } = takeData(ultisnipsTool, snippet);
  const { text } = onlyText(variations);
  const { options, priority, ...actions } = data;
  const trigger = onOneLine(triggerOf(snippet));
  const isRegular = String(options ?? "").includes("r");
  const quote = ["!", "|", "~", "%", "@"].find((each) => !trigger.includes(each)) ?? "!";
  const shown = /\s/.test(trigger) || isRegular ? quote + trigger + quote : trigger;
  const title = `"${onOneLine(snippet.title).replaceAll('"', "'")}"`;
  // A line of the text that would end the snippet, or one of them that begins with it.
  const content = text.content.replaceAll(/^endsnippet(?=\s*$)/gm, " endsnippet");
  return [
    ...(priority !== undefined ? [`priority ${String(priority)}`] : []),
    ...Object.entries(actions).map(([name, code]) => `${name} ${onOneLine(String(code))}`),
    `snippet ${shown} ${title}${options ? ` ${String(options)}` : ""}`,
    content,
    "endsnippet",
    // It holds for what follows, too.
    ...(priority !== undefined ? ["priority 0"] : []),
  ].join("\n");
};

const writeSnipmate: WriteOne = (snippet) => {
  const { text } = onlyText(snippet.variations);
  const trigger = onOneLine(triggerOf(snippet)).replaceAll(" ", "_");
  // An empty line between snippets belongs to none of them.
  const lines = text.content.split("\n").map((line) => `\t${line}`);
  return [`snippet ${trigger} ${onOneLine(snippet.title)}`, ...lines].join("\n");
};
