// Snippets of Visual Studio Code: a `.code-snippets` file, or one file for each language.

import { tabStops } from "./codes.ts";
import { DifferentNames, fileName } from "./file-names.ts";
import { eachFile, type Format, textFile } from "./format.ts";
import type { InputFile } from "./input-file.ts";
import { hasComments, type JsonValue } from "./json.ts";
import { isOfAnyLanguage, vscodeLanguages } from "./language-names.ts";
import { keepData, onlyText, type ToolData, takeData } from "./note-data.ts";
import { areTexts, isBoolean, isText, type Settings, settingsOf, warnOfSettings } from "./note-settings.ts";
import { folderNames, lost, snippetsByFolder } from "./paths-of-tree.ts";
import { readBody, syntaxes, warnOfTabStops, writeBody } from "./tab-stops.ts";
import type { Tree, TreeSnippet } from "./tree.ts";
import { type TreeBuilder, warnOfComments } from "./tree-builder.ts";

const tool = "vscode";
/** Files that hold snippets of every language. */
const everyLanguage = /\.code-snippets$|^(?:global|snippets)\.json$/i;

const isSnippet = (value: JsonValue): boolean => value.isObject && value.get("body")?.lines !== undefined;

export const vscode: Format = {
  name: "VS Code",
  source: "https://code.visualstudio.com/docs/editing/userdefinedsnippets",
  claims: ({ json }) => json?.isObject === true && json.fields.some(({ value }) => isSnippet(value)),
  codes: [tabStops, { name: "escapes", pattern: /\\[\\$}]/ }],
  read: eachFile(readFile),
  write: (tree) => ({
    files: writeFiles(tree),
    warnings: [
      ...lost("VS Code", tree, { note: true, folders: true }, tool),
      ...warnOfTabStops(syntaxes.vscode, "VS Code", tree),
      ...warnOfSettings("VS Code", tree, (snippet) => settingsOf(tool, snippet, settings).leftOut),
    ],
  }),
};

function readFile(file: InputFile, into: TreeBuilder): void {
  const language = everyLanguage.test(file.name) ? undefined : file.stem;
  const folder = [...file.folders, file.stem];
  if (hasComments(file.text)) warnOfComments(file.at(), into);
  for (const { name, value } of file.json?.fields ?? []) {
    const body = value.get("body")?.lines;
    if (!value.isObject || body === undefined) {
      into.leaveOut(value.place, `"${name}" has no body.`);
      continue;
    }
    const prefixes = textsOf(value.get("prefix"));
    const scope = value.get("scope")?.string;
    const known = new Set(["prefix", "body", "description"]);
    const others = value.fields.filter((field) => !known.has(field.name) && field.name !== "scope");
    const [firstScope] = (scope ?? "").split(",");
    const languageName = firstScope?.trim() || language;
    const type = languageName === undefined ? undefined : vscodeLanguages.typeOf(languageName);
    const { content, hasTabStops } = readBody(syntaxes.vscode, body);
    const data: ToolData = {
      ...(hasTabStops && { hasTabStops }),
      ...(prefixes.length > 1 && { prefix: prefixes }),
      // What the content type says again is not kept twice.
      ...(scope !== undefined && (type === undefined || scope !== vscodeLanguages.nameOf(type)) && { scope }),
      ...Object.fromEntries(others.map((field) => [field.name, field.value.plain])),
    };
    const kept = keepData(tool, value.get("description")?.lines ?? "", data, value.place, into);
    into.add(value.place, {
      title: name,
      content,
      type: type ?? "plaintext",
      shortcut: prefixes[0],
      note: kept.note,
      further: kept.further,
      folder,
    });
  }
}

/** A prefix is a text or several. */
const textsOf = (value: JsonValue | undefined): string[] =>
  (value?.isArray ? value.items : value ? [value] : []).flatMap((item) => item.string ?? []);

function writeFiles(tree: Tree) {
  const namesOf = folderNames(tree);
  const names = new DifferentNames();
  return [...snippetsByFolder(tree)].map(([folder, snippets]) => {
    const titles = new DifferentKeys();
    const entries = snippets.map((snippet) => [titles.of(snippet.title), writeSnippet(snippet)]);
    const path = names.of(fileName(namesOf(folder).join(".") || "commonplace"), ".code-snippets");
    // Object.fromEntries would set a prototype, and would sort keys that are numbers.
    const lines = entries.map(([key, value]) => `  ${JSON.stringify(key)}: ${indented(value)}`);
    return textFile(path, `{\n${lines.join(",\n")}\n}\n`);
  });
}

const indented = (value: unknown): string => JSON.stringify(value, undefined, 2).replaceAll("\n", "\n  ");

/** A second snippet with the same key would replace the first. */
class DifferentKeys {
  /** VS Code would set the prototype of its list with this one. */
  readonly #used = new Set(["__proto__"]);
  of(title: string): string {
    let [key, count] = [title, 1];
    while (this.#used.has(key)) {
      count += 1;
      key = `${title} (${count})`;
    }
    this.#used.add(key);
    return key;
  }
}

const isTextOrTexts = (value: unknown): boolean => isText(value) || areTexts(value);

/** What VS Code knows of a snippet, apart from its text and its description, which are never those of a note. */
const settings: Settings = new Map([
  ["scope", isText],
  ["prefix", areTexts],
  ["isFileTemplate", isBoolean],
  ["include", isTextOrTexts],
  ["exclude", isTextOrTexts],
]);

function writeSnippet(snippet: TreeSnippet) {
  const { description, variations } = takeData(tool, snippet);
  const { text } = onlyText(variations);
  const { scope: kept, prefix: several, ...others } = settingsOf(tool, snippet, settings).known;
  const prefix = areTexts(several) && several[0] === snippet.shortcut ? several : snippet.shortcut;
  const scope = kept ?? (isOfAnyLanguage(text.type) ? undefined : vscodeLanguages.nameOf(text.type));
  const body = writeBody(syntaxes.vscode, snippet);
  const lines = body.split("\n");
  return {
    ...(prefix !== null && { prefix }),
    ...(scope !== undefined && { scope }),
    body: lines.length === 1 ? body : lines,
    ...(description !== "" && { description }),
    ...others,
  };
}
