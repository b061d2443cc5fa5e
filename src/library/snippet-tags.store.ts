// The statements on the tags of snippets.
import type { Transaction } from "../platform/database/database.ts";
import { list, sql } from "../platform/database/sql.ts";

export async function countSnippetsOfTag(
  transaction: Transaction,
  workspaceId: string,
  tagId: string,
): Promise<number> {
  const row = await transaction.first<{ total: number }>(
    sql`select count(*) as total from snippet_tags where workspace_id = ${workspaceId} and tag_id = ${tagId}`,
  );
  return row?.total ?? 0;
}

/** The snippet IDs on one page of a tag, newest snippet first. */
export async function listSnippetIdsOfTag(
  transaction: Transaction,
  workspaceId: string,
  tagId: string,
  limit: number,
  offset: number,
): Promise<string[]> {
  const rows = await transaction.all<{ snippet_id: string }>(
    sql`select snippet_id from snippet_tags where workspace_id = ${workspaceId} and tag_id = ${tagId}
        order by snippet_created_at desc, snippet_id desc limit ${limit} offset ${offset}`,
  );
  return rows.map((row) => row.snippet_id);
}

export interface TagOnSnippet {
  readonly snippet_id: string;
  readonly tag_id: string;
  readonly snippet_created_at: string;
}

export const insertTagsOnSnippets = (
  transaction: Transaction,
  workspaceId: string,
  pairs: readonly TagOnSnippet[],
): void =>
  transaction.insert(
    "snippet_tags",
    pairs.map((pair) => ({ workspace_id: workspaceId, ...pair })),
  );

/** Locks the snippets of a tag, see `lockSnippets`. */
export const lockSnippetsOfTag = (transaction: Transaction, workspaceId: string, tagId: string): void =>
  transaction.lock(
    "change",
    sql`select id from snippets where workspace_id = ${workspaceId} and id in (
          select snippet_id from snippet_tags where workspace_id = ${workspaceId} and tag_id = ${tagId}) order by id`,
  );

/** Gives the snippets of a tag another tag in its place. Returns how many snippets that were. */
export async function moveTagOfSnippets(
  transaction: Transaction,
  workspaceId: string,
  tagId: string,
  intoTagId: string,
): Promise<number> {
  transaction.send(
    sql`insert into snippet_tags (workspace_id, snippet_id, tag_id, snippet_created_at)
        select workspace_id, snippet_id, ${intoTagId}, snippet_created_at from snippet_tags
        where workspace_id = ${workspaceId} and tag_id = ${tagId}
        on conflict (workspace_id, snippet_id, tag_id) do nothing`,
  );
  return transaction.run(sql`delete from snippet_tags where workspace_id = ${workspaceId} and tag_id = ${tagId}`);
}

export const removeTagsOfSnippet = (transaction: Transaction, workspaceId: string, snippetId: string): void =>
  transaction.send(sql`delete from snippet_tags where workspace_id = ${workspaceId} and snippet_id = ${snippetId}`);

export async function countTagsOfSnippet(
  transaction: Transaction,
  workspaceId: string,
  snippetId: string,
): Promise<number> {
  const row = await transaction.first<{ total: number }>(
    sql`select count(*) as total from snippet_tags where workspace_id = ${workspaceId} and snippet_id = ${snippetId}`,
  );
  return row?.total ?? 0;
}

/** By tag, the tag of a team with the same name; of several, the oldest. */
export async function findTwinTags(
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
  tagIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (tagIds.length === 0) return new Map();
  const rows = await transaction.all<{ id: string; twin_id: string }>(
    sql`select t.id, (select o.id from tags o where o.workspace_id = t.workspace_id and o.team_id = ${teamId}
          and o.tag_name = t.tag_name order by o.id limit 1) as twin_id
        from tags t where t.workspace_id = ${workspaceId} and t.id in ${list(tagIds)} and exists
          (select 1 from tags o where o.workspace_id = t.workspace_id and o.team_id = ${teamId} and o.tag_name = t.tag_name)`,
  );
  return new Map(rows.map(({ id, twin_id }) => [id, twin_id]));
}
