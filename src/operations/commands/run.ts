// What the commands share: one transaction on the database, and a result for people or for programs.
import type { Database, Transaction } from "../../platform/database/database.ts";
import { openDatabase } from "../../platform/database/open.ts";
import { dayOf } from "../../platform/time.ts";
import type { Run } from "./commands.ts";

type Work<T> = (transaction: Transaction) => Promise<T>;

/** Runs `work` in one transaction on the instance's database. @param makes true for a command that may make the database */
export const onDatabase = <T>(run: Run, work: Work<T>, makes = false): Promise<T> =>
  withDatabase(run, makes, (database) => database.transaction(work));

/** The same for a command that only reads: however long it takes, the service does not wait for it. */
export const fromDatabase = <T>(run: Run, work: Work<T>): Promise<T> =>
  withDatabase(run, false, (database) => database.read(work));

async function withDatabase<T>({ config }: Run, makes: boolean, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(config, { mustExist: !makes });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Prints the result: as JSON in one line where that was asked for, else as the lines for people. */
export function print({ isJson }: Run, result: unknown, lines: readonly string[]): void {
  process.stdout.write(isJson ? `${JSON.stringify(result)}\n` : `${lines.join("\n")}\n`);
}

/**
 * Columns as wide as their widest cell; numbers and amounts of money stand to the right. What can be long, such as a name,
 * belongs into the last column.
 */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  if (rows.length === 0) return ["None."];
  const spelled = rows.map((row) => row.map((cell) => (typeof cell === "number" ? number(cell) : cell)));
  const widths = head.map((title, column) =>
    Math.max(title.length, ...spelled.map((row) => (row[column] ?? "").length)),
  );
  const isNumber = head.map((_, column) => spelled.every((row) => /^\$?[\d,.]+$/.test(row[column] ?? "")));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  return [bold(line(head)), ...spelled.map(line)];
}

/** Name and value, one a line; further lines of a value stand below its first. */
export function fields(pairs: Readonly<Record<string, string | number>>): string[] {
  const width = Math.max(...Object.keys(pairs).map((name) => name.length));
  return Object.entries(pairs).flatMap(([name, value]) => {
    const lines = typeof value === "number" ? [number(value)] : value.split("\n");
    return lines.map((line, index) => `${(index === 0 ? name : "").padEnd(width)}  ${line}`);
  });
}

/** A whole number with its thousands apart. */
export const number = (value: number): string => value.toLocaleString("en-US");

/** A stored moment for people: to the minute, with its time zone. */
export const moment = (iso: string | null): string =>
  iso === null ? "never" : `${iso.slice(0, 16).replace("T", " ")} UTC`;

/** The day of a stored moment, in UTC. */
export const day = (iso: string | null): string => (iso === null ? "never" : dayOf(iso));

/** Emphasis where a person looks at it: on a terminal that did not ask for plain text. */
export const bold = (text: string): string =>
  process.stdout.isTTY && !process.env.NO_COLOR ? `\u001b[1m${text}\u001b[22m` : text;
