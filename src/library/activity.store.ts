// The statements on the library activity: what people and API keys did.
import type { Transaction } from "../platform/database/database.ts";
import { fromJson, type Sql, sql } from "../platform/database/sql.ts";
import { inTeams } from "./teams.store.ts";

/** Something that was done to a snippet, a folder or a tag of a team. */
export interface Act {
  /** The noun and what was done to it: `snippet.create`. */
  readonly action: string;
  readonly teamId: string;
  readonly snippetId?: string;
  /** Of a folder or a tag. Titles are not repeated: a snippet that is gone is gone. */
  readonly name?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** An act with the person or the API key that did it. */
export interface AuthoredAct extends Act {
  readonly workspaceId: string;
  readonly authorId: string;
}

export function insertActs(transaction: Transaction, acts: readonly AuthoredAct[]): void {
  if (acts.length === 0) return;
  const rows = acts.map(({ workspaceId, authorId, action, teamId, snippetId, name, details }) => ({
    workspace_id: workspaceId,
    id: transaction.newId(),
    at: transaction.now,
    author_id: authorId,
    team_id: teamId,
    action,
    snippet_id: snippetId ?? null,
    name: name ?? null,
    details: details ? JSON.stringify(details) : null,
  }));
  transaction.insert("library_activity", rows);
}

export interface ActFilter {
  /** Undefined: all teams. */
  readonly teamIds: readonly string[] | undefined;
  readonly snippetId: string | undefined;
  readonly authorId: string | undefined;
  /** Time and id of the last act of the previous page. */
  readonly after: readonly string[] | undefined;
  readonly limit: number;
}

export interface ActRow {
  readonly id: string;
  readonly at: string;
  readonly author_id: string;
  readonly team_id: string;
  readonly action: string;
  readonly snippet_id: string | null;
  /** The title that a snippet has now, also in the trash, or the name that a folder or tag had. Null for a snippet in another team. */
  readonly name: string | null;
  readonly details: Record<string, unknown> | null;
}

/** What was done, newest first: IDs increase with time. @returns one more than the limit where there are more */
export async function listActs(
  transaction: Transaction,
  workspaceId: string,
  { teamIds, snippetId, authorId, after, limit }: ActFilter,
): Promise<ActRow[]> {
  if (teamIds?.length === 0) return [];
  const rows = await transaction.all<Omit<ActRow, "details"> & { details: unknown }>(
    sql`select a.id, a.at, a.author_id, a.team_id, a.action, a.snippet_id, a.details,
          coalesce(a.name,
            (select s.title from snippets s where s.workspace_id = a.workspace_id and s.id = a.snippet_id and ${inTeams("s.team_id", teamIds)}),
            (select t.title from trashed_snippets t where t.workspace_id = a.workspace_id and t.id = a.snippet_id
              and ${inTeams("t.team_id", teamIds)})) as name
        from library_activity a where a.workspace_id = ${workspaceId}
          and ${inTeams("a.team_id", teamIds)}
          and ${where(snippetId, (id) => sql`a.snippet_id = ${id}`)}
          and ${where(authorId, (id) => sql`a.author_id = ${id}`)}
          and ${where(after, ([, id = ""]) => sql`a.id < ${id}`)}
        order by a.id desc limit ${limit + 1}`,
  );
  return rows.map((row) => ({ ...row, details: fromJson<Record<string, unknown> | null>(row.details) }));
}

const where = <Given>(given: Given | undefined, condition: (given: Given) => Sql): Sql =>
  given === undefined ? sql`1 = 1` : condition(given);

/** Deletes the oldest acts. @returns how many rows were deleted */
export const deleteActsBefore = (transaction: Transaction, before: string, limit: number): Promise<number> =>
  transaction.run(
    sql`delete from library_activity where (workspace_id, id) in
          (select workspace_id, id from library_activity where at < ${before} order by at limit ${limit})`,
  );
