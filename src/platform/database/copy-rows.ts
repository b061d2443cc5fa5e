// The rows of a copy: everything that one database holds, written into another of whatever engine, and added up in either.
import { OperatorError } from "../operator-error.ts";
import { type Database, DatabaseUnavailable, type Transaction } from "./database.ts";
import type { Table } from "./schema.ts";
import { Sql } from "./sql.ts";
import { countRows, meaningOf, type Row, RowDigest, readChunks } from "./table-reader.ts";

/** What a table holds: how many rows, and a digest of them. */
export interface Held {
  readonly table: string;
  readonly rows: number;
  readonly digest: string;
}

/** Is told which table is at work, and how many rows of all tables are done; the work waits for it. */
export type Watch = (table: string, done: number, total: number) => void | Promise<void>;

/** Writes every row of the source, which is read in one transaction, a few at a time. @returns what was read */
export async function copyRows(
  source: Transaction,
  target: Database,
  tables: readonly Table[],
  watch: Watch,
): Promise<Held[]> {
  const total = await sumRows(source, tables);
  let done = 0;
  const copied: Held[] = [];
  for (const table of tables) {
    const digest = new RowDigest(table);
    await watch(table.name, done, total);
    for await (const rows of readChunks(source, table)) {
      for (const row of rows) digest.add(row);
      const written = rows.map((row) => rowFor(table, row));
      await write(target, table, (transaction) => transaction.insert(table.name, written));
      done += rows.length;
      await watch(table.name, done, total);
    }
    for (const parent of table.parents) await copyParents(source, target, table, parent);
    copied.push(heldOf(table, digest));
  }
  return copied;
}

/** What every table holds, read from the first row to the last. */
export async function digestRows(
  transaction: Transaction,
  tables: readonly Table[],
  watch: Watch = () => undefined,
): Promise<Held[]> {
  const total = await sumRows(transaction, tables);
  let done = 0;
  const held: Held[] = [];
  for (const table of tables) {
    const digest = new RowDigest(table);
    await watch(table.name, done, total);
    for await (const rows of readChunks(transaction, table)) {
      for (const row of rows) digest.add(row);
      done += rows.length;
      await watch(table.name, done, total);
    }
    held.push(heldOf(table, digest));
  }
  return held;
}

/** The tables that do not hold the same, each with what tells them apart. */
export const differences = (left: readonly Held[], right: readonly Held[]): string[] =>
  left.flatMap(({ table, rows, digest }, index) => {
    const other = right[index];
    if (other?.rows !== rows) return [`${table} (${rows} rows and ${other?.rows ?? "none"})`];
    return other.digest === digest ? [] : [`${table} (another digest)`];
  });

async function sumRows(transaction: Transaction, tables: readonly Table[]): Promise<number> {
  let total = 0;
  for (const table of tables) total += await countRows(transaction, table);
  return total;
}

const heldOf = ({ name }: Table, digest: RowDigest): Held => ({
  table: name,
  rows: digest.rows,
  digest: digest.toString(),
});

/** The row as any engine takes it. A parent may come later than its child, so all of them are set at the end. */
const rowFor = ({ columns, parents }: Table, row: Row): Row =>
  Object.fromEntries(
    columns.map(({ name, kind }) => [name, parents.includes(name) ? null : meaningOf(kind, row[name] ?? null)]),
  );

/** @throws OperatorError when the target's own rules forbid what the source holds, which is damage of the source */
async function write(target: Database, table: Table, work: (transaction: Transaction) => void): Promise<void> {
  try {
    await target.transaction(async (transaction) => work(transaction));
  } catch (error) {
    if (error instanceof DatabaseUnavailable || !(error instanceof Error)) throw error;
    throw new OperatorError(
      `the target refuses a row of ${table.name} (${error.message}): ./commonplace doctor tells what is wrong with the source`,
      { cause: error },
    );
  }
}

async function copyParents(source: Transaction, target: Database, table: Table, parent: string): Promise<void> {
  const texts = [`update ${table.name} set ${parent} = `];
  for (const [index, key] of table.key.entries()) texts.push(`${index === 0 ? " where" : " and"} ${key} = `);
  texts.push("");
  for await (const rows of readChunks(source, table)) {
    const children = rows.filter((row) => row[parent] !== null);
    if (children.length === 0) continue;
    await write(target, table, (transaction) => {
      for (const row of children)
        transaction.send(new Sql(texts, [row[parent] ?? null, ...table.key.map((key) => row[key] ?? null)]));
    });
  }
}
