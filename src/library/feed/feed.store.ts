// The statements on the change feed. A workspace's row in workspace_storage has the newest number: a transaction that adds rows holds its
// lock until the commit, so rows become visible in the order of their numbers.
import type { Transaction } from "../../platform/database/database.ts";
import { list, type Sql, sql } from "../../platform/database/sql.ts";

/** A row that has no number yet. */
export interface NewChanges {
  readonly teamId: string;
  readonly entries: string;
}

/** The entries of a row for changes that the feed does not list. Open pages learn of them. */
export const noEntries = "[]";

/** Takes so many numbers. */
export const takeNumbers = (transaction: Transaction, workspaceId: string, count: number): void =>
  transaction.send(sql`update workspace_storage set changes = changes + ${count} where workspace_id = ${workspaceId}`);

/** Adds rows with the numbers that were taken last, without waiting. @param skipped so many of the numbers are used already */
export function insertChanges(
  transaction: Transaction,
  workspaceId: string,
  rows: readonly NewChanges[],
  skipped = 0,
): void {
  for (const [index, { teamId, entries }] of rows.entries())
    if (index >= skipped)
      transaction.send(
        sql`insert into library_changes (workspace_id, team_id, number, at, entries)
            select workspace_id, ${teamId}, changes - ${rows.length - 1 - index}, ${transaction.now}, ${entries}
            from workspace_storage where workspace_id = ${workspaceId}`,
      );
}

/** Adds rows whose numbers are known. */
export function insertNumbered(
  transaction: Transaction,
  workspaceId: string,
  rows: readonly NewChanges[],
  newest: number,
): void {
  let number = newest - rows.length;
  for (const { teamId, entries } of rows) {
    number += 1;
    transaction.send(
      sql`insert into library_changes (workspace_id, team_id, number, at, entries)
          values (${workspaceId}, ${teamId}, ${number}, ${transaction.now}, ${entries})`,
    );
  }
}

/**
 * Takes numbers that only the database knows, and adds the rows that get them. PostgreSQL only: SQLite knows its numbers.
 * @param taking the statement that takes them @param beside another statement that is carried out with it
 */
export function insertWhileNumbering(
  transaction: Transaction,
  workspaceId: string,
  rows: readonly NewChanges[],
  { taking, beside }: { readonly taking: Sql; readonly beside: Sql },
): void {
  const [first] = rows;
  if (!first) throw new Error("Numbers are taken for rows only");
  transaction.send(
    sql`with numbered as (${taking} returning workspace_id, changes), beside as (${beside})
        insert into library_changes (workspace_id, team_id, number, at, entries)
        select workspace_id, ${first.teamId}, changes - ${rows.length - 1}, ${transaction.now}, ${first.entries} from numbered`,
  );
  insertChanges(transaction, workspaceId, rows, 1);
}

/** The newest number of a workspace; 0 before the first. */
export async function findNewestNumber(transaction: Transaction, workspaceId: string): Promise<number> {
  const [row] = await listNewestNumbers(transaction, [workspaceId]);
  return row?.changes ?? 0;
}

/** The newest numbers of several workspaces. */
export const listNewestNumbers = (
  transaction: Transaction,
  workspaceIds: readonly string[],
): Promise<{ workspace_id: string; changes: number }[]> =>
  transaction.all(sql`select workspace_id, changes from workspace_storage where workspace_id in ${list(workspaceIds)}`);

export interface ChangesRow {
  readonly number: number;
  readonly team_id: string;
  readonly at: string;
  readonly entries: string;
}

/** Lists the teams that have rows with these numbers. */
export async function listChangedTeams(
  transaction: Transaction,
  workspaceId: string,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<string[]> {
  const teams = await transaction.all<{ id: string }>(
    sql`select t.id from teams t where t.workspace_id = ${workspaceId} and exists
          (select 1 from library_changes c where c.workspace_id = t.workspace_id and c.team_id = t.id
           and c.number between ${first} and ${last})
        order by t.id`,
  );
  return teams.map(({ id }) => id);
}

/** Lists rows of some teams with what the feed lists, by number. */
export const listChanges = (
  transaction: Transaction,
  workspaceId: string,
  teamIds: readonly string[],
  { first, last }: { readonly first: number; readonly last: number },
  limit: number,
): Promise<ChangesRow[]> =>
  transaction.all(
    sql`select number, team_id, at, entries from library_changes
        where workspace_id = ${workspaceId} and team_id in ${list(teamIds)} and number between ${first} and ${last}
          and entries <> ${noEntries}
        order by number limit ${limit}`,
  );

/** A team with the time of its oldest row; null where it has none. */
interface OldestChanges {
  readonly workspace_id: string;
  readonly id: string;
  readonly oldest_at: string | null;
}

/** Lists teams of all workspaces, by ID. */
export const listOldestChanges = (
  transaction: Transaction,
  after: Pick<OldestChanges, "workspace_id" | "id">,
  limit: number,
): Promise<OldestChanges[]> =>
  transaction.all(
    sql`select t.workspace_id, t.id,
          (select c.at from library_changes c where c.workspace_id = t.workspace_id and c.team_id = t.id
           order by c.number limit 1) as oldest_at
        from teams t where (t.workspace_id, t.id) > (${after.workspace_id}, ${after.id})
        order by t.workspace_id, t.id limit ${limit}`,
  );

/** Lists the oldest rows of a team. */
export const listFirstChanges = (
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
  limit: number,
): Promise<Pick<ChangesRow, "number" | "at">[]> =>
  transaction.all(
    sql`select number, at from library_changes where workspace_id = ${workspaceId} and team_id = ${teamId}
        order by number limit ${limit}`,
  );

export const deleteChangesUpTo = (
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
  number: number,
): Promise<number> =>
  transaction.run(
    sql`delete from library_changes where workspace_id = ${workspaceId} and team_id = ${teamId} and number <= ${number}`,
  );
