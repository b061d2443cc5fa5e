// The statements on folders and tags, two tables with the same structure.
import type { Transaction } from "../platform/database/database.ts";
import { assignments, list, name, sql, type Value } from "../platform/database/sql.ts";
import { inTeams } from "./teams.store.ts";

export type GroupStore<Row> = ReturnType<typeof createGroupStore<Row>>;

/** The statements on one of the tables. The names come from the code, never from input. */
export function createGroupStore<Row>(
  table: string,
  columnNames: readonly (keyof Row & string)[],
  parentName: string,
  /** The table with the snippets of groups, and its column with the group. */
  members: { readonly table: string; readonly column: string },
) {
  const [groups, columns, parent] = [name(table), name(columnNames.join(", ")), name(parentName)];
  return {
    /** The groups with these IDs, in no particular order. */
    find: async (transaction: Transaction, workspaceId: string, ids: readonly string[]): Promise<Row[]> =>
      ids.length === 0
        ? []
        : transaction.all<Row>(
            sql`select ${columns} from ${groups} where workspace_id = ${workspaceId} and id in ${list(ids)}`,
          ),

    /** The first `most` groups of these teams by ID, with how many snippets each has. */
    listCounted: (
      transaction: Transaction,
      workspaceId: string,
      teamIds: readonly string[] | undefined,
      most: number,
    ): Promise<(Row & { snippet_count: number })[]> =>
      transaction.all(
        sql`select ${columns}, (select count(*) from ${name(members.table)} m
              where m.workspace_id = g.workspace_id and m.${name(members.column)} = g.id) as snippet_count
            from ${groups} g where workspace_id = ${workspaceId} and ${inTeams("team_id", teamIds)} order by id limit ${most}`,
      ),

    /** Locks groups against deletion, because other rows are about to refer to them. */
    lockForReference: (transaction: Transaction, workspaceId: string, ids: readonly string[]): void => {
      if (ids.length > 0)
        transaction.lock(
          "reference",
          sql`select id from ${groups} where workspace_id = ${workspaceId} and id in ${list(ids)} order by id`,
        );
    },

    lockForChange: (transaction: Transaction, workspaceId: string, ids: readonly string[]): void =>
      transaction.lock(
        "change",
        sql`select id from ${groups} where workspace_id = ${workspaceId} and id in ${list(ids)} order by id`,
      ),

    /**
     * Locks the teams of groups that are about to move, before the groups themselves. A chain of parents stays within a team, so
     * only one transaction at a time changes it, and no two moves can close a cycle together.
     */
    lockTeams: (transaction: Transaction, workspaceId: string, ids: readonly string[]): void =>
      transaction.lock(
        "change",
        sql`select id from teams where workspace_id = ${workspaceId} and id in (
              select team_id from ${groups} where workspace_id = ${workspaceId} and id in ${list(ids)}) order by id`,
      ),

    /** Locks groups and the groups inside them, so that they can be deleted and nothing new gets into them. */
    lockForDeletion: (transaction: Transaction, workspaceId: string, ids: readonly string[]): void =>
      transaction.lock(
        "delete",
        sql`select id from ${groups} where workspace_id = ${workspaceId} and (id in ${list(ids)} or ${parent} in ${list(ids)})
            order by id`,
      ),

    insert: (transaction: Transaction, rows: readonly (Row & Readonly<Record<string, Value>>)[]): void =>
      transaction.insert(table, rows),

    /** Sets these columns and returns the updated group. */
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

    /** The IDs of a group and its ancestors, itself first, at most `idsMax` of them. */
    listPathToRoot: async (
      transaction: Transaction,
      workspaceId: string,
      id: string,
      idsMax: number,
    ): Promise<string[]> => {
      const rows = await transaction.all<{ id: string }>(
        sql`with recursive upwards (id, parent_id, place) as (
              select id, ${parent}, 1 from ${groups} where workspace_id = ${workspaceId} and id = ${id}
              union all
              select g.id, g.${parent}, u.place + 1 from ${groups} g
              join upwards u on g.workspace_id = ${workspaceId} and g.id = u.parent_id where u.place < ${idsMax})
            select id from upwards order by place`,
      );
      return rows.map((row) => row.id);
    },

    /** Moves the groups inside these groups to the top level. */
    moveChildrenToRoot: (transaction: Transaction, workspaceId: string, ids: readonly string[]): void =>
      transaction.send(
        sql`update ${groups} set ${parent} = null where workspace_id = ${workspaceId} and ${parent} in ${list(ids)}`,
      ),

    /** Moves the groups inside a group into another one. */
    moveChildren: (transaction: Transaction, workspaceId: string, id: string, intoId: string): void =>
      transaction.send(
        sql`update ${groups} set ${parent} = ${intoId} where workspace_id = ${workspaceId} and ${parent} = ${id} and id <> ${intoId}`,
      ),

    remove: (transaction: Transaction, workspaceId: string, ids: readonly string[]): void =>
      transaction.send(sql`delete from ${groups} where workspace_id = ${workspaceId} and id in ${list(ids)}`),
  };
}
