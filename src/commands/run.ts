// What the commands share: one transaction on the database, and a result for people or for programs.
import type { Transaction } from "../database/database.ts";
import { openDatabase } from "../service.ts";
import type { Run } from "./commands.ts";

/** Runs `work` in one transaction on the instance's database. @param makes true for a command that may make the database */
export async function onDatabase<T>(
  { config }: Run,
  work: (transaction: Transaction) => Promise<T>,
  makes = false,
): Promise<T> {
  const database = await openDatabase(config, Date.now, !makes);
  try {
    return await database.transaction(work);
  } finally {
    await database.close();
  }
}

/** Prints the result: as JSON where that was asked for, else as the lines for people. */
export function print({ isJson }: Run, result: unknown, lines: readonly string[]): void {
  process.stdout.write(isJson ? `${JSON.stringify(result, null, 2)}\n` : `${lines.join("\n")}\n`);
}

/** Columns as wide as their widest cell; numbers stand to the right. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  if (rows.length === 0) return ["None."];
  const spelled = rows.map((row) => row.map((cell) => (typeof cell === "number" ? number(cell) : cell)));
  const widths = head.map((title, column) =>
    Math.max(title.length, ...spelled.map((row) => (row[column] ?? "").length)),
  );
  const isNumber = head.map((_, column) => rows.every((row) => typeof row[column] === "number"));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  return [line(head), ...spelled.map(line)];
}

/** Name and value, one a line. */
export function fields(pairs: Readonly<Record<string, string | number>>): string[] {
  const width = Math.max(...Object.keys(pairs).map((name) => name.length));
  return Object.entries(pairs).map(
    ([name, value]) => `${name.padEnd(width)}  ${typeof value === "number" ? number(value) : value}`,
  );
}

/** A whole number with its thousands apart. */
export const number = (value: number): string => value.toLocaleString("en-US");

/** A stored moment for people: to the minute, with its time zone. */
export const moment = (iso: string | null): string =>
  iso === null ? "never" : `${iso.slice(0, 16).replace("T", " ")} UTC`;
