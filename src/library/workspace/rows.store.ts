// All rows of one workspace, whatever their table. The tables are read from the migrations, so that none is forgotten.
import type { Transaction } from "../../platform/database/database.ts";
import { readSchema, type Table } from "../../platform/database/schema.ts";
import { name, Sql, sql } from "../../platform/database/sql.ts";
import type { Row } from "../../platform/database/table-reader.ts";

let tables: readonly Table[] | undefined;

/** The tables with rows of workspaces. One that refers to another comes after it. */
export const workspaceTables = (): readonly Table[] => {
  tables ??= readSchema().filter(({ columns }) => columns.some((column) => column.name === "workspace_id"));
  return tables;
};

/** The condition that every row of a workspace meets. */
export const allRows = sql`1 = 1`;

/** Lists the next rows of a workspace in a table, by primary key. @param where which of them */
export function listRows(
  transaction: Transaction,
  table: Table,
  workspaceId: string,
  after: Row | undefined,
  limit: number,
  where: Sql,
): Promise<Row[]> {
  const [columns, keys] = [name(table.columns.map((column) => column.name).join(", ")), name(table.key.join(", "))];
  const following = after
    ? new Sql([`(${table.key.join(", ")}) > (`, ...table.key.slice(1).map(() => ", "), ")"], valuesOf(table, after))
    : sql`1 = 1`;
  return transaction.all<Row>(
    sql`select ${columns} from ${name(table.name)} where workspace_id = ${workspaceId} and ${where} and ${following}
        order by ${keys} limit ${limit}`,
  );
}

const valuesOf = ({ key }: Table, row: Row) => key.map((column) => row[column] ?? null);

/** Deletes some rows of a workspace in a table. @returns how many */
export function deleteRows(
  transaction: Transaction,
  table: Table,
  workspaceId: string,
  limit: number,
): Promise<number> {
  const keys = name(table.key.join(", "));
  return transaction.run(
    sql`delete from ${name(table.name)} where workspace_id = ${workspaceId} and (${keys}) in
        (select ${keys} from ${name(table.name)} where workspace_id = ${workspaceId} limit ${limit})`,
  );
}

/** Separates rows from others of the same table, so that they can be deleted in any order. */
export async function separateRows(transaction: Transaction, table: Table, workspaceId: string): Promise<void> {
  for (const parent of table.parents)
    await transaction.run(
      sql`update ${name(table.name)} set ${name(parent)} = null
          where workspace_id = ${workspaceId} and ${name(parent)} is not null`,
    );
}

/** Only once no other row refers to it. */
export const deleteWorkspaceRow = (transaction: Transaction, workspaceId: string): Promise<number> =>
  transaction.run(sql`delete from workspaces where id = ${workspaceId}`);

/** The people of a workspace, for those who read its export without this instance. */
export const listPeopleOf = (transaction: Transaction, workspaceId: string): Promise<Row[]> =>
  transaction.all<Row>(
    sql`select p.id, p.name, p.email, m.role from memberships m join people p on p.id = m.person_id
        where m.workspace_id = ${workspaceId} order by p.id`,
  );
