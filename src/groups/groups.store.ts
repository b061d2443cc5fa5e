// The rows of folders and of tags: two tables of the same make.
import type { Transaction } from "../database/database.ts";
import { assignments, list, name, sql, type Value } from "../database/sql.ts";

export type GroupStore<Row> = ReturnType<typeof groupStore<Row>>;

/** The statements on one of the tables. All names are names in the code, never input. */
export function groupStore<Row>(table: string, columnNames: readonly (keyof Row & string)[], parentName: string) {
  const [groups, columns, parent] = [name(table), name(columnNames.join(", ")), name(parentName)];
  return {
    /** The groups of these ids, in no order. */
    find: async (transaction: Transaction, workspaceId: string, ids: readonly string[]): Promise<Row[]> =>
      ids.length === 0
        ? []
        : transaction.all<Row>(
            sql`select ${columns} from ${groups} where workspace_id = ${workspaceId} and id in ${list(ids)}`,
          ),

    insert: (transaction: Transaction, rows: readonly (Row & Readonly<Record<string, Value>>)[]): Promise<void> =>
      transaction.insert(table, rows),

    /** Sets these columns and returns the group as it is then. */
    update: (
      transaction: Transaction,
      workspaceId: string,
      id: string,
      changes: Readonly<Record<string, Value>>,
    ): Promise<Row | undefined> =>
      transaction.first<Row>(
        sql`update ${groups} set ${assignments({ ...changes, updated_at: transaction.now })}
            where workspace_id = ${workspaceId} and id = ${id} returning ${columns}`,
      ),

    /** The ids from a group upwards, itself first, at most `most` of them. */
    listUpwards: async (transaction: Transaction, workspaceId: string, id: string, most: number): Promise<string[]> => {
      const rows = await transaction.all<{ id: string }>(
        sql`with recursive upwards (id, parent_id, place) as (
              select id, ${parent}, 1 from ${groups} where workspace_id = ${workspaceId} and id = ${id}
              union all
              select g.id, g.${parent}, u.place + 1 from ${groups} g
              join upwards u on g.workspace_id = ${workspaceId} and g.id = u.parent_id where u.place < ${most})
            select id from upwards order by place`,
      );
      return rows.map((row) => row.id);
    },

    /** Deletes them; the groups inside them stay, without a parent. */
    remove: async (transaction: Transaction, workspaceId: string, ids: readonly string[]): Promise<void> => {
      await transaction.run(
        sql`update ${groups} set ${parent} = null where workspace_id = ${workspaceId} and ${parent} in ${list(ids)}`,
      );
      await transaction.run(sql`delete from ${groups} where workspace_id = ${workspaceId} and id in ${list(ids)}`);
    },
  };
}
