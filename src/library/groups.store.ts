// The rows of folders and of tags: two tables of the same make.
import type { Transaction } from "../platform/database/database.ts";
import { assignments, list, name, sql, type Value } from "../platform/database/sql.ts";

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

    /** Keeps them from being deleted, because something will refer to them. */
    keep: (transaction: Transaction, workspaceId: string, ids: readonly string[]): void => {
      if (ids.length > 0)
        transaction.lock(
          "keep",
          sql`select id from ${groups} where workspace_id = ${workspaceId} and id in ${list(ids)} order by id`,
        );
    },

    /**
     * Holds them for change. Where one is moved below another (`isMoving`), their teams are held first: a chain of parents stays
     * within a team, so that only one chain of it is changed at a time and no two moves can close a cycle together.
     */
    hold: (transaction: Transaction, workspaceId: string, ids: readonly string[], isMoving: boolean): void => {
      if (ids.length === 0) return;
      const chosen = sql`${groups} where workspace_id = ${workspaceId} and id in ${list(ids)}`;
      if (isMoving)
        transaction.lock(
          "change",
          sql`select id from teams where workspace_id = ${workspaceId} and id in (select team_id from ${chosen}) order by id`,
        );
      transaction.lock("change", sql`select id from ${chosen} order by id`);
    },

    insert: (transaction: Transaction, rows: readonly (Row & Readonly<Record<string, Value>>)[]): void =>
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

    /** Holds them and what is inside them, so that they can be deleted and nothing new can come to be in them. */
    holdForRemoval: (transaction: Transaction, workspaceId: string, ids: readonly string[]): void =>
      transaction.lock(
        "delete",
        sql`select id from ${groups} where workspace_id = ${workspaceId} and (id in ${list(ids)} or ${parent} in ${list(ids)})
            order by id`,
      ),

    /** Deletes them; the groups inside them stay, without a parent. */
    remove: (transaction: Transaction, workspaceId: string, ids: readonly string[]): void => {
      transaction.send(
        sql`update ${groups} set ${parent} = null where workspace_id = ${workspaceId} and ${parent} in ${list(ids)}`,
      );
      transaction.send(sql`delete from ${groups} where workspace_id = ${workspaceId} and id in ${list(ids)}`);
    },
  };
}
