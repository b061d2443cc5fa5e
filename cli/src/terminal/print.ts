// What commands print: results on standard output, everything else on standard error.
import { inert, printableJson } from "../../../src/contract/printable.ts";
import { clearLine, isLineShown, showLine } from "./live-line.ts";
import { bold, fit, oneLine, pad, widthOf, yellowNotice } from "./style.ts";

const columnsDefault = 80;
const gap = "  ";

export function print(text: string): void {
  clearLine();
  process.stdout.write(text);
}

export function printBeside(text: string): void {
  clearLine();
  process.stderr.write(text);
}

/** What a command has done, as a line beside the result. It may name something of others. */
export const status = (text: string): void => printBeside(`${inert(text)}\n`);

/** The same on one line, whatever is in the names of others. */
export const statusLine = (text: string): void => status(oneLine(text));

/** What a person should know or do, as a line beside the result. */
export const notice = (text: string): void => printBeside(`${yellowNotice(inert(text))}\n`);

/** Warnings about an export, which may contain titles of others. */
export const warn = (messages: readonly string[]): void => {
  for (const message of messages) notice(oneLine(message));
};

/** Why nothing happens for a while. Beside progress, it is gone again when that goes on. */
export const pausing = (text: string): void => (isLineShown() ? showLine(text) : notice(text));

export const printJson = (value: unknown): void => print(`${printableJson(value, process.stdout.isTTY ? 2 : 0)}\n`);

interface TableOptions {
  /** The rows for programs, if they differ. */
  readonly programRows?: readonly (readonly string[])[];
  /** The column that is shortened where a line is wider than the terminal. All others are shown in full. Without it, each line is cut at its end. */
  readonly shortened?: string;
}

/** On a terminal, columns with a head; elsewhere one line for each row with a tab between cells, for programs. */
export function printTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { programRows = rows, shortened }: TableOptions = {},
): void {
  if (process.stdout.isTTY) print(formatTable(head, rows, process.stdout.columns || columnsDefault, shortened));
  else for (const row of programRows) print(`${row.map(oneLine).join("\t")}\n`);
}

/** A text is recognized by its beginning. */
const shortenedWidthMin = 16;

export function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number,
  shortened?: string,
): string {
  const lines = rows.map((row) => row.map(oneLine));
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map((row) => widthOf(row[column] ?? ""))));
  const width = widths.reduce((sum, each) => sum + each, gap.length * (head.length - 1));
  const place = shortened === undefined ? -1 : head.indexOf(shortened);
  const usual = widths[place];
  if (usual !== undefined && width > columns)
    widths[place] = Math.min(usual, Math.max(shortenedWidthMin, usual - (width - columns)));
  const format = (row: readonly string[]): string => {
    const cells = row.map((cell, column) =>
      pad(column === place ? fit(cell, widths[column] ?? 0) : cell, widths[column] ?? 0),
    );
    const line = cells.join(gap).trimEnd();
    return place < 0 ? fit(line, columns) : line;
  };
  return [bold(format(head)), ...lines.map(format)].map((line) => `${line}\n`).join("");
}

/** `pluralize(2, "key")` → `2 keys` */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

export const formatCount = (count: number): string => count.toLocaleString("en-US");

/** A timestamp → `2026-11-22 14:03 UTC` */
export const formatMoment = (iso: string): string => `${iso.slice(0, 16).replace("T", " ")} UTC`;

/** The last day on which a key works, in UTC, such as "2026-12-31". Keys expire when it ends. */
export const lastDayOf = (expiresAt: string): string => new Date(Date.parse(expiresAt) - 1).toISOString().slice(0, 10);

/** How long ago something was: `5 minutes`, `3 hours`, `2 days`. */
export function formatAge(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return "less than a minute";
  if (minutes < 60) return pluralize(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? pluralize(hours, "hour") : pluralize(Math.floor(hours / 24), "day");
}
