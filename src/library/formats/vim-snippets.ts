// Snippet files of Vim: UltiSnips and SnipMate, which share the ending `.snippets`.
import { type Code, tabStops } from "./codes.ts";
import { eachFile, type Format } from "./format.ts";
import type { InputFile } from "./input-file.ts";
import { vimFiletypes } from "./language-names.ts";
import { keepData, type ToolData } from "./note-data.ts";
import { readBody, syntaxes } from "./tab-stops.ts";
import { type TreeBuilder, warnOfComments } from "./tree-builder.ts";
import { actionNames, writeVimSnippets } from "./write-vim-snippets.ts";

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
  write: (tree) => writeVimSnippets(tree, "ultisnips"),
};

export const snipmate: Format = {
  name: "SnipMate",
  source: "https://github.com/garbas/vim-snipmate/blob/master/doc/SnipMate.txt",
  claims: (file) => hasSnippets(file) && !hasEnds(file) && /^snippet[ \t][^\n\r]*[\r\n]+[ \t]/m.test(file.text),
  codes: [tabStops, code],
  read: eachFile(readSnipmate),
  write: (tree) => writeVimSnippets(tree, "snipmate"),
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
    const statement = line.trim();
    const [word = "", ...rest] = statement.split(/\s+/);
    if (word === "priority") priority = rest[0];
    // The code as it is: spaces inside its strings matter.
    else if (actionNames.some((name) => name === word)) actions[word] = statement.slice(word.length).trimStart();
    else if (word === "extends") into.warn(place, notIncluded(rest));
    else if (word === "clearsnippets") into.warn(place, notRead(word));
    else if (word.startsWith("#")) comments = true;
    else if (word !== "") into.leaveOut(place, "The line could not be read.");
  }
  if (comments) warnOfComments(file.at(), into);
}

const header = /^(?<trigger>.*\S)\s+"(?<description>[^"]*)"(?:\s+(?<options>[A-Za-z!]+))?$/;

/** `trigger`, `trigger "description"`, `trigger "description" options`. With the option `e`, Python code in quotes follows the description. */
function headerOf(text: string, hasContext: boolean) {
  const { trigger = text, description, options = "" } = header.exec(text)?.groups ?? {};
  if (!options.includes("e") || hasContext) return { trigger, description, options };
  const { trigger: first = trigger, description: named } = header.exec(trigger)?.groups ?? {};
  return { trigger: first, description: named, options: options.replaceAll("e", ""), context: `"${description}"` };
}

/** A trigger with spaces is put between two equal characters. */
function addUltisnip(
  file: InputFile,
  line: string,
  content: string,
  more: ToolData,
  index: number,
  into: TreeBuilder,
): void {
  const { trigger, description, options, context } = headerOf(
    line.slice("snippet".length).trim(),
    more.context !== undefined,
  );
  const isQuoted =
    trigger.length > 2 && trigger[0] === trigger.at(-1) && (/\s/.test(trigger) || options?.includes("r") === true);
  const shortcut = isQuoted ? trigger.slice(1, -1) : trigger;
  const body = readBody(syntaxes.ultisnips, content);
  const data: ToolData = {
    ...(body.hasTabStops && { hasTabStops: true }),
    ...(options && { options }),
    ...(context !== undefined && { context }),
    ...more,
  };
  const kept = keepData("ultisnips", "", data, file.at(index + 1), into);
  into.add(file.at(index + 1), {
    title: description || shortcut,
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
    const { content, hasTabStops } = readBody(
      syntaxes.snipmate,
      body.map((each) => (each.startsWith(indent) ? each.slice(indent.length) : each.trimStart())).join("\n"),
    );
    const data: ToolData = hasTabStops ? { hasTabStops, ...(version !== undefined && { version }) } : {};
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
