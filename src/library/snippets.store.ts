// The statements on snippets. A snippet's row holds its first variation, whose current text is the content of the snippet.
import type { Snippet, SnippetDetail } from "../contract/snippets.ts";
import type { Locked, LockPurpose, Transaction } from "../platform/database/database.ts";
import { assignments, fromJson, join, list, name, type Sql, sql, type Value } from "../platform/database/sql.ts";
import { twinId } from "./snippet-ids.ts";

export interface SnippetRow {
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

const shortColumns = sql`s.id, s.title, s.content_type, s.shortcut, s.folder_id, s.team_id, s.workspace_id, s.is_archived, s.created_at,
  s.updated_at`;
const columns = sql`${shortColumns}, s.snippet_note`;

/** The bytes of a snippet's text and note, measured without reading them. */
const textBytes = sql`(octet_length(s.content) + coalesce(octet_length(s.snippet_note), 0))`;

export const toSnippet = (row: SnippetRow): Snippet => ({
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

type VariationSummary = SnippetDetail["variations"][number];

interface SnippetDetailRow extends SnippetRow {
  created_by: string;
  variation_id: string | null;
  variation_name: string;
  variant_order_index: number;
  tag_ids: unknown;
  further_variations: unknown;
}

/** A single snippet with its tags and variations. A snippet without tags and with one variation is one row. */
export async function findSnippetDetail(
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<SnippetDetail | undefined> {
  const row = await transaction.first<SnippetDetailRow>(
    sql`select ${columns}, s.content, s.created_by, s.variation_id, s.variation_name, s.variant_order_index,
          case when s.has_tags then (select json_agg(t.tag_id order by t.tag_id) from snippet_tags t
            where t.workspace_id = s.workspace_id and t.snippet_id = s.id) end as tag_ids,
          case when s.variation_count > 1 then (select json_agg(
              json_build_object('id', o.id, 'name', o.name, 'variant_order_index', o.variant_order_index)
              order by o.variant_order_index)
            from variations o where o.workspace_id = s.workspace_id and o.snippet_id = s.id) end as further_variations
        from snippets s where s.workspace_id = ${workspaceId} and s.id = ${id}`,
  );
  if (!row) return undefined;
  const first = {
    id: row.variation_id ?? twinId(row.id),
    name: row.variation_name,
    variant_order_index: row.variant_order_index,
  };
  return {
    ...toSnippet(row),
    created_by: row.created_by,
    tag_ids: fromJson<string[] | null>(row.tag_ids) ?? [],
    variations: [first, ...(fromJson<VariationSummary[] | null>(row.further_variations) ?? [])],
  };
}

/** A snippet in a list whose text and note were left out, because together they have more than so many bytes. */
export interface WithoutText extends Omit<Snippet, "content"> {
  readonly content: { readonly type: string; readonly content: null };
  readonly textBytes: number;
}
export type ListedSnippet = Snippet | WithoutText;

/** Reads texts and notes of up to so many bytes with the rows, so that a list is one walk although its texts have a limit. */
export const listedColumns = (textBytesMax: number): Sql =>
  sql`${shortColumns}, case when ${textBytes} <= ${textBytesMax} then s.snippet_note end as snippet_note,
    case when ${textBytes} <= ${textBytesMax} then s.content end as content, ${textBytes} as text_bytes`;

export type ListedRow = Omit<SnippetRow, "content"> & { content: string | null; text_bytes: number };

export const toListed = (rows: readonly ListedRow[]): ListedSnippet[] =>
  rows.map((row) => {
    // The same columns, with one that may be null.
    const snippet = toSnippet(row as SnippetRow);
    if (row.content !== null) return snippet;
    return { ...snippet, content: { type: row.content_type, content: null }, textBytes: row.text_bytes };
  });

/** The snippets with these IDs, in no particular order. */
export async function findSnippets(
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
  textBytesMax: number,
): Promise<ListedSnippet[]> {
  if (ids.length === 0) return [];
  return toListed(
    await transaction.all<ListedRow>(
      sql`select ${listedColumns(textBytesMax)} from snippets s where s.workspace_id = ${workspaceId} and s.id in ${list(ids)}`,
    ),
  );
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

/** The same of one snippet, with its folder, and the bytes of the texts that its variations do not have. */
export const findSnippetForUpdate = (
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<(SnippetOwner & TextBytes & { folder_id: string | null; folder_name: string | null })[]> =>
  transaction.all(
    sql`select id, team_id, created_at, folder_id,
          (select f.folder_name from folders f where f.workspace_id = snippets.workspace_id and f.id = snippets.folder_id) as folder_name,
          octet_length(title) as title, coalesce(octet_length(snippet_note), 0) as note,
          coalesce(octet_length(shortcut), 0) as shortcut
        from snippets where workspace_id = ${workspaceId} and id = ${id}`,
  );

/** How long texts are, in bytes. */
export interface TextBytes {
  readonly title: number;
  readonly note: number;
  readonly shortcut: number;
}

/**
 * Locks snippets, so that one transaction at a time changes their parts. Every change of a variation, a version or a tag of a snippet
 * locks the snippet first, and leaves out what it did not lock (`onlyLocked`).
 */
export const lockSnippets = (
  transaction: Transaction,
  purpose: LockPurpose,
  workspaceId: string,
  ids: readonly string[],
): Locked =>
  transaction.lockVisible(
    purpose,
    sql`select id from snippets where workspace_id = ${workspaceId} and id in ${list(ids)} order by id`,
  );

/** How many snippets each of these folders has. One count for each folder: grouping them takes SQLite half as long again. */
export async function countSnippetsByFolder(
  transaction: Transaction,
  workspaceId: string,
  folderIds: readonly string[],
): Promise<Map<string, number>> {
  if (folderIds.length === 0) return new Map();
  const counts = folderIds.map(
    (folderId, index) => sql`select ${name(`${index}`)} as place, count(*) as total from snippets
        where workspace_id = ${workspaceId} and folder_id = ${folderId}`,
  );
  const rows = await transaction.all<{ place: number; total: number }>(join(counts, " union all "));
  return new Map(rows.map(({ place, total }) => [folderIds[place] ?? "", total]));
}

/** The snippets on one page of each of these folders, folder by folder, newest snippet first. */
export async function listSnippetsByFolder(
  transaction: Transaction,
  workspaceId: string,
  folderIds: readonly string[],
  limit: number,
  offset: number,
  textBytesMax: number,
): Promise<ListedSnippet[]> {
  const [only] = folderIds;
  if (only === undefined) return [];
  const pageOf = (folderId: string): Sql =>
    sql`select ${listedColumns(textBytesMax)} from snippets s where s.workspace_id = ${workspaceId} and s.folder_id = ${folderId}
        ${onPage(workspaceId, folderId, limit, offset)} order by s.created_at desc, s.id desc limit ${limit}`;
  if (folderIds.length === 1) return toListed(await transaction.all<ListedRow>(pageOf(only)));
  const pages = folderIds.map((folderId) => sql`select * from (${pageOf(folderId)}) page`);
  const rows = await transaction.all<ListedRow>(join(pages, " union all "));
  // Sorted here, so that no engine moves the texts about.
  const byFolder = Map.groupBy(toListed(rows), (snippet) => snippet.folder_id);
  return folderIds.flatMap((folderId) => (byFolder.get(folderId) ?? []).sort(newestFirst));
}

/**
 * Where a page begins and about where it ends, found in the index alone. Without it, PostgreSQL would read the snippets before a page with
 * their texts, and may even sort all texts of a large folder.
 */
function onPage(workspaceId: string, folderId: string, limit: number, offset: number): Sql {
  const end = sql`and s.created_at >= coalesce((
    select created_at from snippets where workspace_id = ${workspaceId} and folder_id = ${folderId}
    order by created_at desc, id desc limit 1 offset ${offset + limit - 1}), ${beforeAll})`;
  if (offset === 0) return end;
  return sql`and (s.created_at, s.id) <= (
    select created_at, id from snippets where workspace_id = ${workspaceId} and folder_id = ${folderId}
    order by created_at desc, id desc limit 1 offset ${offset}) ${end}`;
}

/** Earlier than any snippet. */
const beforeAll = "0001-01-01T00:00:00.000Z";

/** Timestamps and IDs are texts that sort as they are. */
const newestFirst = (left: ListedSnippet, right: ListedSnippet): number => {
  if (left.created_at !== right.created_at) return left.created_at < right.created_at ? 1 : -1;
  return left.id < right.id ? 1 : -1;
};

export interface NewSnippet {
  readonly id: string;
  readonly team_id: string;
  readonly folder_id: string | null;
  readonly title: string;
  readonly snippet_note: string | null;
  readonly shortcut: string | null;
  readonly has_tags: boolean;
  readonly variation_count: number;
  readonly content_type: string;
  readonly content: string;
  /** Left out for one that is created now. */
  readonly created_at?: string;
  readonly updated_at?: string;
  /** Of its first variation, and of the text of that; left out, or null, where they are the snippet's `created_at`. */
  readonly variation_created_at?: string | null;
  readonly variation_updated_at?: string | null;
  readonly changed_at?: string | null;
}

export const firstVariationName = "Default";

/** Inserts snippets with their first variation. */
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
      created_at: transaction.now,
      updated_at: transaction.now,
      ...snippet,
      is_archived: false,
      created_by: createdBy,
      variation_name: firstVariationName,
      variant_order_index: 0,
    })),
  );

/** Sets these columns, `updated_at` and `updated_by`. */
export const updateSnippet = (
  transaction: Transaction,
  workspaceId: string,
  updatedBy: string,
  id: string,
  changes: Readonly<Record<string, Value>>,
): void =>
  transaction.send(
    sql`update snippets set ${assignments({ ...changes, updated_at: transaction.now, updated_by: updatedBy })}
        where workspace_id = ${workspaceId} and id = ${id}`,
  );

/** Deletes snippets with their variations, former versions and tag associations. */
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
