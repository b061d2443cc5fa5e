// What commands print: a result as JSON for programs, or as lines for people.
import { dayOf } from "../../platform/time.ts";
import { formatNumber } from "../format.ts";
import type { CommandContext } from "./command.ts";

/** Prints the result as one line of JSON if the command line asked for it, else the lines for people. */
export function printResult({ isJson }: CommandContext, result: unknown, lines: readonly string[]): void {
  process.stdout.write(isJson ? `${JSON.stringify(result)}\n` : `${lines.join("\n")}\n`);
}

/**
 * Columns as wide as their widest cell; numbers and amounts of money are aligned to the right. Values that may be long, such as
 * names, belong in the last column.
 */
export function formatTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  if (rows.length === 0) return ["None."];
  const cells = rows.map((row) => row.map((cell) => (typeof cell === "number" ? formatNumber(cell) : cell)));
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map((row) => (row[column] ?? "").length)));
  const isNumber = head.map((_, column) => cells.every((row) => /^\$?[\d,.]+$/.test(row[column] ?? "")));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
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

/** Bold on a terminal, unless NO_COLOR is set; plain text elsewhere. */
export const bold = (text: string): string => withStyle(text, 1, 22);

/** Text between two SGR codes of a terminal: one that begins the style and one that ends it. */
export const withStyle = (text: string, begin: number, end: number): string =>
  process.stdout.isTTY && !process.env.NO_COLOR ? `\u001b[${begin}m${text}\u001b[${end}m` : text;
