// The statements on the change feed. A workspace's row in workspace_storage has the newest number: whoever adds rows holds its lock until the
// commit, so rows become visible in the order of their numbers, without gaps.
import type { Transaction } from "../../platform/database/database.ts";
import { list, sql } from "../../platform/database/sql.ts";

/** Adds rows with the next numbers, without waiting. */
export function insertChanges(transaction: Transaction, workspaceId: string, rows: readonly string[]): void {
  transaction.send(
    sql`update workspace_storage set changes = changes + ${rows.length} where workspace_id = ${workspaceId}`,
  );
  for (const [index, entries] of rows.entries())
    transaction.send(
      sql`insert into library_changes (workspace_id, number, at, entries)
          select workspace_id, changes - ${rows.length - 1 - index}, ${transaction.now}, ${entries}
          from workspace_storage where workspace_id = ${workspaceId}`,
    );
}

/** The newest number of each workspace; 0 before the first. */
export const listNewestNumbers = (
  transaction: Transaction,
  workspaceIds: readonly string[],
): Promise<{ workspace_id: string; changes: number }[]> =>
  transaction.all(sql`select workspace_id, changes from workspace_storage where workspace_id in ${list(workspaceIds)}`);

export interface ChangesRow {
  readonly number: number;
  readonly at: string;
  readonly entries: string;
}

/** Lists the rows from a number on. */
export const listChangesFrom = (
  transaction: Transaction,
  workspaceId: string,
  number: number,
  limit: number,
): Promise<ChangesRow[]> =>
  transaction.all(
    sql`select number, at, entries from library_changes
        where workspace_id = ${workspaceId} and number >= ${number} order by number limit ${limit}`,
  );

/** Lists workspaces by ID, each with the time of its oldest row. */
export const listOldestChanges = (
  transaction: Transaction,
  afterId: string,
  limit: number,
): Promise<{ id: string; oldest_at: string | null }[]> =>
  transaction.all(
    sql`select s.workspace_id as id,
          (select c.at from library_changes c where c.workspace_id = s.workspace_id order by c.number limit 1) as oldest_at
        from workspace_storage s where s.workspace_id > ${afterId} order by s.workspace_id limit ${limit}`,
  );

export const deleteChangesUpTo = (transaction: Transaction, workspaceId: string, number: number): Promise<number> =>
  transaction.run(sql`delete from library_changes where workspace_id = ${workspaceId} and number <= ${number}`);
