// What is stored about a person. Tables are found in the migrations, so that none is forgotten.
import type { Transaction } from "../../platform/database/database.ts";
import { readSchema, type Table } from "../../platform/database/schema.ts";
import { name, Sql, sql } from "../../platform/database/sql.ts";
import type { Row } from "../../platform/database/table-reader.ts";

/** Rows of a table that are about a person. */
export interface PersonalRows {
  readonly table: Table;
  readonly where: (person: { readonly id: string; readonly email: string }) => Sql;
}

let found: readonly PersonalRows[] | undefined;

/** The tables that name a person, and those that name them in another way. */
export function personalTables(): readonly PersonalRows[] {
  found ??= readSchema().flatMap((table): PersonalRows[] => {
    const has = (column: string) => table.columns.some((candidate) => candidate.name === column);
    if (table.name === "people") return [{ table, where: ({ id }) => sql`id = ${id}` }];
    if (table.name === "audit_log") return [{ table, where: ({ id }) => sql`(actor_id = ${id} or target_id = ${id})` }];
    if (table.name === "invitations")
      return [{ table, where: ({ id, email }) => sql`(email = ${email} or invited_by = ${id})` }];
    if (table.name === "payments") return [{ table, where: ({ id }) => sql`requested_by = ${id}` }];
    if (table.name === "mails") return [{ table, where: ({ email }) => sql`recipient = ${email}` }];
    if (table.name === "library_activity") return [{ table, where: ({ id }) => sql`author_id = ${id}` }];
    if (table.name === "alert_recipients") return [{ table, where: ({ email }) => sql`email = ${email}` }];
    return has("person_id") ? [{ table, where: ({ id }) => sql`person_id = ${id}` }] : [];
  });
  return found;
}

/** Lists the next rows, by primary key. */
export function listPersonalRows(
  transaction: Transaction,
  { table: { name: from, columns, key } }: PersonalRows,
  where: Sql,
  after: Row | undefined,
  limit: number,
): Promise<Row[]> {
  const following = after
    ? new Sql(
        [`(${key.join(", ")}) > (`, ...key.slice(1).map(() => ", "), ")"],
        key.map((column) => after[column] ?? null),
      )
    : sql`1 = 1`;
  return transaction.all<Row>(
    sql`select ${name(columns.map((column) => column.name).join(", "))} from ${name(from)}
        where ${where} and ${following} order by ${name(key.join(", "))} limit ${limit}`,
  );
}
