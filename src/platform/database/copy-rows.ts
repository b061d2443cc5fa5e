// Copies all rows of one database into another, of the same or the other engine, and computes digests to compare the two.
import { OperatorError } from "../operator-error.ts";
import { type Database, DatabaseUnavailable, type Transaction } from "./database.ts";
import type { Table } from "./schema.ts";
import { Sql } from "./sql.ts";
import { countRows, type Row, RowDigest, readChunks, toKind } from "./table-reader.ts";

/** What a table holds: how many rows, and a digest of them. */
export interface TableDigest {
  readonly table: string;
  readonly rows: number;
  readonly digest: string;
}

/** Receives the current table and how many rows of all tables are done; the copy waits for it. */
export type OnProgress = (table: string, done: number, total: number) => void | Promise<void>;

/** Writes every row of the source, which is read in one transaction, a portion at a time. @returns what was read */
export async function copyRows(
  source: Transaction,
  target: Database,
  tables: readonly Table[],
  onProgress: OnProgress,
): Promise<TableDigest[]> {
  const total = await sumRows(source, tables);
  let done = 0;
  const copied: TableDigest[] = [];
  for (const table of tables) {
    const digest = new RowDigest(table);
    await onProgress(table.name, done, total);
    for await (const rows of readChunks(source, table)) {
      for (const row of rows) digest.add(row);
      const written = rows.map((row) => rowFor(table, row));
      await write(target, table, (transaction) => transaction.insert(table.name, written));
      done += rows.length;
      await onProgress(table.name, done, total);
    }
    for (const parent of table.parents) await copyParents(source, target, table, parent);
    copied.push(tableDigest(table, digest));
  }
  return copied;
}

/** The digest of every table, which is read from its first row to its last. */
export async function digestRows(
  transaction: Transaction,
  tables: readonly Table[],
  onProgress: OnProgress = () => undefined,
): Promise<TableDigest[]> {
  const total = await sumRows(transaction, tables);
  let done = 0;
  const digests: TableDigest[] = [];
  for (const table of tables) {
    const digest = new RowDigest(table);
    await onProgress(table.name, done, total);
    for await (const rows of readChunks(transaction, table)) {
      for (const row of rows) digest.add(row);
      done += rows.length;
      await onProgress(table.name, done, total);
    }
    digests.push(tableDigest(table, digest));
  }
  return digests;
}

/** The tables that differ, each with how they differ. */
export const differences = (left: readonly TableDigest[], right: readonly TableDigest[]): string[] =>
  left.flatMap(({ table, rows, digest }, index) => {
    const other = right[index];
    if (other?.rows !== rows) return [`${table} (${rows} rows copied, ${other?.rows ?? "none"} found)`];
    return other.digest === digest ? [] : [`${table} (different content)`];
  });

async function sumRows(transaction: Transaction, tables: readonly Table[]): Promise<number> {
  let total = 0;
  for (const table of tables) total += await countRows(transaction, table);
  return total;
}

const tableDigest = ({ name }: Table, digest: RowDigest): TableDigest => ({
  table: name,
  rows: digest.rows,
  digest: digest.toString(),
});

/** The row as either engine takes it. A parent may come after its child, so parents are set at the end. */
const rowFor = ({ columns, parents }: Table, row: Row): Row =>
  Object.fromEntries(
    columns.map(({ name, kind }) => [name, parents.includes(name) ? null : toKind(kind, row[name] ?? null)]),
  );

/** @throws OperatorError when a constraint of the target rejects a row, which means that the source is damaged */
async function write(target: Database, table: Table, work: (transaction: Transaction) => void): Promise<void> {
  try {
    await target.transaction(async (transaction) => work(transaction));
  } catch (error) {
    if (error instanceof DatabaseUnavailable || !(error instanceof Error)) throw error;
    throw new OperatorError(
      `the target rejected a row of ${table.name} (${error.message}). Run ./commonplace doctor on the source`,
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
