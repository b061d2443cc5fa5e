// The statements on snippets. A snippet's content is the current version of its first variation.
import type { Snippet, SnippetDetail } from "../contract/snippets.ts";
import type { LockPurpose, Transaction } from "../platform/database/database.ts";
import { assignments, fromJson, join, list, type Sql, sql, type Value } from "../platform/database/sql.ts";

interface SnippetRow {
  id: string;
  title: string;
  content_type: string;
  content: string;
  snippet_note: string | null;
  shortcut: string | null;
  folder_id: string | null;
  team_id: string;
  workspace_id: string;
  is_archived: boolean | number;
  created_at: string;
  updated_at: string;
}

/**
 * The content of a snippet `s`. Subqueries instead of joins, although they search twice: SQLite runs them faster for few rows. While
 * PostgreSQL's statistics still describe a workspace as small after it has grown, its joins may read the whole workspace per row.
 */
const currentVersion = sql`
  (select v.version_id from variations v where v.workspace_id = s.workspace_id and v.snippet_id = s.id
    order by v.variant_order_index limit 1)`;
const currentContent = sql`
  (select c.content_type from variation_versions c
    where c.workspace_id = s.workspace_id and c.id = ${currentVersion}) as content_type,
  (select c.content from variation_versions c where c.workspace_id = s.workspace_id and c.id = ${currentVersion}) as content`;

const columns = sql`s.id, s.title, ${currentContent}, s.snippet_note, s.shortcut, s.folder_id, s.team_id, s.workspace_id,
  s.is_archived, s.created_at, s.updated_at`;

const toSnippet = (row: SnippetRow): Snippet => ({
  id: row.id,
  title: row.title,
  content: { type: row.content_type, content: row.content },
  snippet_note: row.snippet_note,
  shortcut: row.shortcut,
  folder_id: row.folder_id,
  team_id: row.team_id,
  workspace_id: row.workspace_id,
  is_archived: Boolean(row.is_archived),
  created_at: row.created_at,
  updated_at: row.updated_at,
});

interface SnippetDetailRow extends SnippetRow {
  created_by: string;
  tag_ids: unknown;
  variations: unknown;
}

/** A single snippet with its tags and variations. */
export async function findSnippetDetail(
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<SnippetDetail | undefined> {
  const row = await transaction.first<SnippetDetailRow>(
    sql`select ${columns}, s.created_by,
          (select json_agg(t.tag_id order by t.tag_id) from snippet_tags t
            where t.workspace_id = s.workspace_id and t.snippet_id = s.id) as tag_ids,
          (select json_agg(
              json_build_object('id', o.id, 'name', o.name, 'variant_order_index', o.variant_order_index)
              order by o.variant_order_index)
            from variations o where o.workspace_id = s.workspace_id and o.snippet_id = s.id) as variations
        from snippets s where s.workspace_id = ${workspaceId} and s.id = ${id}`,
  );
  return (
    row && {
      ...toSnippet(row),
      created_by: row.created_by,
      tag_ids: fromJson<string[] | null>(row.tag_ids) ?? [],
      variations: fromJson<SnippetDetail["variations"]>(row.variations),
    }
  );
}

/** The snippets with these IDs, in no particular order. */
export async function findSnippets(
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<Snippet[]> {
  if (ids.length === 0) return [];
  const rows = await transaction.all<SnippetRow>(
    sql`select ${columns} from snippets s where s.workspace_id = ${workspaceId} and s.id in ${list(ids)}`,
  );
  return rows.map(toSnippet);
}

export interface SnippetOwner {
  id: string;
  team_id: string;
  created_at: string;
}

/** The teams of snippets: enough to check access, without reading their texts. */
export const findSnippetOwners = (
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<SnippetOwner[]> =>
  transaction.all<SnippetOwner>(
    sql`select id, team_id, created_at from snippets where workspace_id = ${workspaceId} and id in ${list(ids)}`,
  );

/**
 * Locks snippets, so that one transaction at a time changes their parts. Every change of a variation, a version or a tag of a snippet
 * locks the snippet first.
 */
export const lockSnippets = (
  transaction: Transaction,
  purpose: LockPurpose,
  workspaceId: string,
  ids: readonly string[],
): void =>
  transaction.lock(
    purpose,
    sql`select id from snippets where workspace_id = ${workspaceId} and id in ${list(ids)} order by id`,
  );

/** The bytes of text in these snippets, measured without reading the texts. */
export async function sumTextBytes(
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<number> {
  const row = await transaction.first<{ bytes: number | null }>(
    sql`select sum((
          select octet_length(c.content) from variation_versions c
          where c.workspace_id = s.workspace_id and c.id = ${currentVersion})) as bytes
        from snippets s where s.workspace_id = ${workspaceId} and s.id in ${list(ids)}`,
  );
  return row?.bytes ?? 0;
}

/** How many snippets each of these folders has. Folders without snippets are left out. */
export async function countSnippetsByFolder(
  transaction: Transaction,
  workspaceId: string,
  folderIds: readonly string[],
): Promise<Map<string, number>> {
  if (folderIds.length === 0) return new Map();
  const rows = await transaction.all<{ folder_id: string; total: number }>(
    sql`select folder_id, count(*) as total from snippets
        where workspace_id = ${workspaceId} and folder_id in ${list(folderIds)} group by folder_id`,
  );
  return new Map(rows.map((row) => [row.folder_id, row.total]));
}

/** The snippet IDs on one page of each of these folders, newest snippet first. */
export async function listSnippetIdsByFolder(
  transaction: Transaction,
  workspaceId: string,
  folderIds: readonly string[],
  limit: number,
  offset: number,
): Promise<Map<string, string[]>> {
  if (folderIds.length === 0) return new Map();
  const pageOf = (folderId: string): Sql => sql`select * from (
    select folder_id, created_at, id from snippets where workspace_id = ${workspaceId} and folder_id = ${folderId}
    order by created_at desc, id desc limit ${limit} offset ${offset}) page`;
  const rows = await transaction.all<{ folder_id: string; id: string }>(
    sql`select folder_id, id from (${join(folderIds.map(pageOf), " union all ")}) pages order by created_at desc, id desc`,
  );
  const byFolder = Map.groupBy(rows, (row) => row.folder_id);
  return new Map(folderIds.map((folderId) => [folderId, (byFolder.get(folderId) ?? []).map((row) => row.id)]));
}

export interface NewSnippet {
  readonly id: string;
  readonly team_id: string;
  readonly folder_id: string | null;
  readonly title: string;
  readonly snippet_note: string | null;
  readonly shortcut: string | null;
}

export const insertSnippets = (
  transaction: Transaction,
  workspaceId: string,
  createdBy: string,
  snippets: readonly NewSnippet[],
): void =>
  transaction.insert(
    "snippets",
    snippets.map((snippet) => ({
      workspace_id: workspaceId,
      ...snippet,
      is_archived: false,
      created_by: createdBy,
      created_at: transaction.now,
      updated_at: transaction.now,
    })),
  );

/** Sets these columns and `updated_at`. */
export const updateSnippet = (
  transaction: Transaction,
  workspaceId: string,
  id: string,
  changes: Readonly<Record<string, Value>>,
): void =>
  transaction.send(
    sql`update snippets set ${assignments({ ...changes, updated_at: transaction.now })}
        where workspace_id = ${workspaceId} and id = ${id}`,
  );

/** Sets `updated_at`, because something that the snippets show was changed. */
export const touchSnippets = (transaction: Transaction, workspaceId: string, ids: readonly string[]): void =>
  transaction.send(
    sql`update snippets set updated_at = ${transaction.now} where workspace_id = ${workspaceId} and id in ${list(ids)}`,
  );

/** Deletes snippets with their variations, versions and tag associations. */
export const removeSnippets = (transaction: Transaction, workspaceId: string, ids: readonly string[]): void =>
  transaction.send(sql`delete from snippets where workspace_id = ${workspaceId} and id in ${list(ids)}`);

const inFolders = (workspaceId: string, folderIds: readonly string[]): Sql =>
  sql`workspace_id = ${workspaceId} and folder_id in ${list(folderIds)}`;

export const lockSnippetsInFolders = (
  transaction: Transaction,
  workspaceId: string,
  folderIds: readonly string[],
): void =>
  transaction.lock("change", sql`select id from snippets where ${inFolders(workspaceId, folderIds)} order by id`);

/** Takes all snippets out of these folders. Returns how many there were. */
export const removeSnippetsFromFolders = (
  transaction: Transaction,
  workspaceId: string,
  folderIds: readonly string[],
): Promise<number> =>
  transaction.run(sql`update snippets set folder_id = null where ${inFolders(workspaceId, folderIds)}`);
