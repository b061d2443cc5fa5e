// What the doctor asks an SQLite database.
import { Database as Connection } from "bun:sqlite";
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

/** Fails if the file cannot be read as a database. */
export async function readFirstPage(transaction: Transaction): Promise<void> {
  await transaction.first(sql`select count(*) as parts from sqlite_schema`);
}

export async function readVersion(transaction: Transaction): Promise<{ encoding?: string; version?: string }> {
  const encoding = await transaction.first<{ encoding: string }>(sql`select encoding from pragma_encoding`);
  const version = await transaction.first<{ version: string }>(sql`select sqlite_version() as version`);
  return { ...encoding, ...version };
}

/** Each damage of the file; empty if every page is intact. */
export async function listDamage(transaction: Transaction): Promise<string[]> {
  const rows = await transaction.all<{ integrity_check: string }>(
    sql`select integrity_check from pragma_integrity_check`,
  );
  return rows.map((row) => row.integrity_check).filter((line) => line !== "ok");
}

/** Rows that refer to nothing, counted by their table and the table they should refer to. */
export const countDanglingReferences = (
  transaction: Transaction,
): Promise<{ table: string; parent: string; rows: number }[]> =>
  transaction.all(
    sql`select "table", parent, count(*) as rows from pragma_foreign_key_check group by 1, 2 order by 1, 2`,
  );

/** Whether a connection of this SQLite reads back the value that a pragma was set to. */
export function acceptsPragma(pragma: "synchronous" | "foreign_keys", value: number): boolean {
  const connection = new Connection(":memory:");
  try {
    connection.run(`pragma ${pragma} = ${value}`);
    return Object.values(connection.query(`pragma ${pragma}`).get() ?? {})[0] === value;
  } finally {
    connection.close();
  }
}
