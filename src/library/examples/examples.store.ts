// The statements on the examples of teams: which snippets, folders and tags they are.
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

type Kind = "snippet" | "folder" | "tag";

export const lockTeam = (transaction: Transaction, workspaceId: string, teamId: string): void =>
  transaction.lock("change", sql`select id from teams where workspace_id = ${workspaceId} and id = ${teamId}`);

export const insertExamples = (
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
  ids: Readonly<Record<Kind, readonly string[]>>,
): void =>
  transaction.insert(
    "library_examples",
    Object.entries(ids).flatMap(([kind, ofKind]) =>
      ofKind.map((id) => ({ workspace_id: workspaceId, team_id: teamId, kind, id })),
    ),
  );

export async function hasExamples(transaction: Transaction, workspaceId: string, teamId: string): Promise<boolean> {
  const row = await transaction.first(
    sql`select 1 as found from library_examples where workspace_id = ${workspaceId} and team_id = ${teamId} limit 1`,
  );
  return row !== undefined;
}

/** The examples that nobody has changed, and how many others there still are. */
export async function findUnchangedExamples(transaction: Transaction, workspaceId: string, teamId: string) {
  const rows = await transaction.all<{ id: string; updated_by: string | null }>(
    sql`select s.id, s.updated_by from snippets s where s.workspace_id = ${workspaceId} and s.id in (
          select e.id from library_examples e
          where e.workspace_id = ${workspaceId} and e.team_id = ${teamId} and e.kind = 'snippet')`,
  );
  const unchanged = rows.filter((row) => row.updated_by === null).map(({ id }) => id);
  return { unchanged, changed: rows.length - unchanged.length };
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** The folders of the examples that nobody has changed, with nothing in them. */
export const findEmptyExampleFolders = async (
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
): Promise<string[]> =>
  idsOf(
    await transaction.all<{ id: string }>(
      sql`select f.id from folders f where f.workspace_id = ${workspaceId} and f.updated_at = f.created_at and f.id in (
            select e.id from library_examples e
            where e.workspace_id = ${workspaceId} and e.team_id = ${teamId} and e.kind = 'folder')
          and not exists (select 1 from snippets s where s.workspace_id = f.workspace_id and s.folder_id = f.id)
          and not exists (select 1 from folders c where c.workspace_id = f.workspace_id and c.parent_folder_id = f.id)`,
    ),
  );

/** The tags of the examples that nobody has changed and no snippet has. */
export const findUnusedExampleTags = async (
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
): Promise<string[]> =>
  idsOf(
    await transaction.all<{ id: string }>(
      sql`select g.id from tags g where g.workspace_id = ${workspaceId} and g.updated_at = g.created_at and g.id in (
            select e.id from library_examples e
            where e.workspace_id = ${workspaceId} and e.team_id = ${teamId} and e.kind = 'tag')
          and not exists (select 1 from snippet_tags t where t.workspace_id = g.workspace_id and t.tag_id = g.id)`,
    ),
  );

export const forgetExamples = (transaction: Transaction, workspaceId: string, teamId: string): Promise<number> =>
  transaction.run(sql`delete from library_examples where workspace_id = ${workspaceId} and team_id = ${teamId}`);
