// What commands print: a result as JSON for programs, or as lines for people.
import { inert, printableJson } from "../../contract/printable.ts";
import { dayOf } from "../../platform/time.ts";
import { formatNumber } from "../format.ts";
import type { CommandContext } from "./command.ts";

/** Prints the result as one line of JSON if the command line asked for it, else the lines for people. */
export function printResult({ isJson }: CommandContext, result: unknown, lines: readonly string[]): void {
  process.stdout.write(isJson ? `${printableJson(result)}\n` : `${lines.map(inertButStyles).join("\n")}\n`);
}

/** Prints what a person should know before or beside the result. */
export function printBeside(lines: readonly string[]): void {
  process.stderr.write(lines.map((line) => `${inertButStyles(line)}\n`).join(""));
}

/** Styles are ours. Anything else that a terminal would act on came with a name or another text. */
const inertButStyles = (line: string): string =>
  line
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the beginning of a style.
    .split(/(\u001b\[\d{1,2}m)/)
    .map((piece, index) => (index % 2 === 1 ? piece : inert(piece)))
    .join("");

/**
 * Columns as wide as their widest cell; numbers and amounts of money are aligned to the right. Values that may be long, such as
 * names, belong in the last column. Without rows, there is only the sentence that says so.
 */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  empty = "None.",
): string[] {
  if (rows.length === 0) return [empty];
  const cells = rows.map((row) => row.map((cell) => (typeof cell === "number" ? formatNumber(cell) : cell)));
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => Bun.stringWidth(row[column] ?? ""))),
  );
  const isNumber = head.map((_, column) => cells.every((row) => /^\$?[\d,.]+$/.test(row[column] ?? "")));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => {
        // Chinese letters and many symbols take two columns.
        const padding = " ".repeat(Math.max(0, (widths[column] ?? 0) - Bun.stringWidth(cell)));
        return isNumber[column] ? padding + cell : cell + padding;
      })
      .join("  ")
      .trimEnd();
  return [bold(line(head)), ...cells.map(line)];
}

/** A name and its value on each line; further lines of a value are indented below its first. */
export function formatFields(pairs: Readonly<Record<string, string | number>>): string[] {
  const width = Math.max(...Object.keys(pairs).map((name) => name.length));
  return Object.entries(pairs).flatMap(([name, value]) => {
    const lines = typeof value === "number" ? [formatNumber(value)] : value.split("\n");
    return lines.map((line, index) => `${(index === 0 ? name : "").padEnd(width)}  ${line}`);
  });
}

/** The day of a stored timestamp, in UTC. */
export const formatDay = (iso: string | null): string => (iso === null ? "never" : dayOf(iso));

/** Gray on a terminal, unless NO_COLOR is set; plain text elsewhere. */
export const dim = (text: string): string => withStyle(text, 2, 22);

/** SGR codes of a terminal. */
const colors = { red: 31, green: 32, yellow: 33, cyan: 36 };
const defaultColor = 39;

export const inColor = (color: keyof typeof colors, text: string): string =>
  withStyle(text, colors[color], defaultColor);

/** Bold on a terminal, unless NO_COLOR is set; plain text elsewhere. */
export const bold = (text: string): string => withStyle(text, 1, 22);

/** Text between two SGR codes of a terminal: one that begins the style and one that ends it. */
const withStyle = (text: string, begin: number, end: number): string =>
  process.stdout.isTTY && !process.env.NO_COLOR ? `\u001b[${begin}m${text}\u001b[${end}m` : text;

/** Whether the terminal shows more than ASCII. */
export function hasUnicode(): boolean {
  const { LC_ALL, LC_CTYPE, LANG } = process.env;
  return /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || "");
}
