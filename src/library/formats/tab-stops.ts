// Texts of editors with tab stops, such as `${1:name}`: VS Code, UltiSnips, and SnipMate. A text from such a tool is a template, and
// goes back to it as it came. Every other text is escaped, so that the tool inserts what is written here.
import { cutAtPlaceholders, placeholderNames } from "../placeholders.ts";
import { Found, firstText, placeholderExample } from "./found-codes.ts";
import { takeData } from "./note-data.ts";
import type { Tool } from "./tool-block.ts";
import type { Tree, TreeSnippet, Warning } from "./tree.ts";

/** How a tool writes a text. */
export interface TabStopSyntax {
  readonly tool: Tool;
  /** The characters that mean something to it. A backslash before one makes it text. */
  readonly special: RegExp;
  /** A character with the backslash before it, where the tool removes the backslash. */
  readonly escaped: RegExp;
  /** What it replaces when it inserts a text. */
  readonly live: RegExp;
  /** What it runs. */
  readonly code?: RegExp;
}

const vscode: TabStopSyntax = {
  tool: "vscode",
  special: /[\\$}]/g,
  escaped: /\\([\\$}])/g,
  // It takes an unknown variable for a placeholder, too.
  live: /\$(?:\w|\{\w)/,
};
/** What Vim's two tools have in common. A brace is special only after a `$`. */
const vim = { special: /[\\$`]/g, escaped: /\\([\\$`{}])/g, live: /`|\$(?:\d|\{|VISUAL)/, code: /`[^`]*`?/ };

export const syntaxes = {
  vscode,
  ultisnips: { tool: "ultisnips", ...vim },
  snipmate: { tool: "snipmate", ...vim },
} as const satisfies Partial<Record<Tool, TabStopSyntax>>;

const escapeFor = ({ special }: TabStopSyntax, text: string): string => text.replace(special, "\\$&");

/**
 * What a text of a tool is here: a template, which is kept as it is, or the text that the tool inserts.
 * A template is also what would have placeholders here, because they are text in the tool.
 */
export function readBody(
  { escaped, live }: TabStopSyntax,
  body: string,
): { readonly content: string; readonly hasTabStops: boolean } {
  const text = body.replace(escaped, "$1");
  const hasTabStops = live.test(body.replace(escaped, " ")) || placeholderNames(text).length > 0;
  return { content: hasTabStops ? body : text, hasTabStops };
}

/** The syntax in which the text of a snippet is a template; undefined for a text that is only text. */
export const templateSyntax = (snippet: TreeSnippet): TabStopSyntax | undefined =>
  Object.values(syntaxes).find(({ tool }) => takeData(tool, snippet).data.hasTabStops === true);

/** The text of a snippet for a tool. */
export function writeBody(syntax: TabStopSyntax, snippet: TreeSnippet): string {
  const text = firstText(snippet);
  const from = templateSyntax(snippet);
  if (from === syntax) return text;
  return from ? translate(from, syntax, text).written : withPlaceholders(syntax, text);
}

/** Tab stops that mean the same to all of these tools. */
const commonTabStop = /\$(?:\d+|\{\d+(?::[^\\$`{}\n]*)?\})/;

/** Keeps the tab stops. What only the other tool understands, such as code, becomes text. */
function translate(from: TabStopSyntax, to: TabStopSyntax, text: string) {
  const kept = new RegExp(`${from.escaped.source}|${commonTabStop.source}`, "g");
  let [written, end] = ["", 0];
  let lost: string | undefined;
  const add = (piece: string) => {
    const at = piece.search(from.live);
    if (at >= 0) lost ??= piece.slice(at);
    written += escapeFor(to, piece);
  };
  for (const { 0: whole, 1: character, index } of text.matchAll(kept)) {
    add(text.slice(end, index));
    written += character === undefined ? whole : escapeFor(to, character);
    end = index + whole.length;
  }
  add(text.slice(end));
  return { written, lost };
}

/** Our placeholders become tab stops. The same name is the same tab stop. */
function withPlaceholders(syntax: TabStopSyntax, text: string): string {
  const numbers = new Map<string, number>();
  const pieces = cutAtPlaceholders(text).map(({ text: piece, placeholder: name }) => {
    if (name === undefined) return escapeFor(syntax, piece);
    const known = numbers.get(name);
    // Only the first one has the name, because SnipMate repeats what is typed only where a tab stop has no text of its own.
    if (known !== undefined) return `\${${known}}`;
    numbers.set(name, numbers.size + 1);
    return `\${${numbers.size}:${escapeFor(syntax, name)}}`;
  });
  return pieces.join("");
}

/** What a person should know about the texts that are written for a tool with tab stops. */
export function warnOfTabStops(syntax: TabStopSyntax, name: string, { snippets }: Tree): Warning[] {
  const [withNames, withLost] = [new Found(), new Found()];
  for (const snippet of snippets) {
    const from = templateSyntax(snippet);
    const text = firstText(snippet);
    if (!from) withNames.add(placeholderExample(text));
    else if (from !== syntax) withLost.add(translate(from, syntax, text).lost);
  }
  return [
    ...withNames.warning("placeholders", "In the export, they become tab stops."),
    ...withLost.warning("codes of another tool", `${name} inserts them as text.`),
  ];
}

/** The first code in a template of the tool; undefined for any other text, in which code is escaped. */
export function codeIn(syntax: TabStopSyntax, snippet: TreeSnippet): string | undefined {
  if (!syntax.code || templateSyntax(snippet) !== syntax) return undefined;
  return syntax.code.exec(firstText(snippet).replace(syntax.escaped, " "))?.[0];
}
