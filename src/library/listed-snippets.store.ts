// The statements on snippets as people see them: lists without their texts, and one snippet with all of its texts.
import type { Transaction } from "../platform/database/database.ts";
import { fromJson, list, name, sql } from "../platform/database/sql.ts";
import { firstVersionId, twinId } from "./snippet-ids.ts";

/** Code points of a text that a list shows. */
const previewLength = 300;

export interface ListedRow {
  readonly id: string;
  readonly title: string;
  readonly preview: string;
  readonly shortcut: string | null;
  readonly folder_id: string | null;
  readonly team_id: string;
  readonly is_archived: boolean;
  readonly content_type: string;
  readonly variation_count: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly updated_by: string;
  readonly tag_ids: readonly string[];
}

/** These snippets, in the order of their ids. */
export async function findListedSnippets(
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<ListedRow[]> {
  if (ids.length === 0) return [];
  const rows = await transaction.all<Omit<ListedRow, "tag_ids"> & { tag_ids: unknown }>(
    sql`select s.id, s.title, substr(s.content, 1, ${previewLength}) as preview, s.shortcut, s.folder_id, s.team_id, s.is_archived,
          s.content_type, s.variation_count, s.created_at, s.updated_at, coalesce(s.updated_by, s.created_by) as updated_by,
          case when s.has_tags then (select json_agg(t.tag_id order by t.tag_id) from snippet_tags t
            where t.workspace_id = s.workspace_id and t.snippet_id = s.id) end as tag_ids
        from snippets s where s.workspace_id = ${workspaceId} and s.id in ${list(ids)}`,
  );
  const byId = new Map(
    rows.map((row) => [
      row.id,
      { ...row, is_archived: Boolean(row.is_archived), tag_ids: fromJson<string[] | null>(row.tag_ids) ?? [] },
    ]),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The beginnings of the texts of snippets in the trash. */
export async function findTrashedPreviews(
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await transaction.all<{ id: string; preview: string }>(
    sql`select id, substr(content, 1, ${previewLength}) as preview from trashed_snippets
        where workspace_id = ${workspaceId} and id in ${list(ids)}`,
  );
  return new Map(rows.map((row) => [row.id, row.preview]));
}

/** A variation without its text. */
export interface VariationRow {
  readonly id: string;
  readonly name: string;
  readonly variant_order_index: number;
  readonly content_type: string;
  readonly content_bytes: number;
  readonly version_id: string;
  readonly updated_at: string;
  readonly changed_at: string;
  readonly changed_by: string;
}

/** Where a snippet is: the trash has tables with the same columns. */
type Place = "library" | "trash";

const tablesIn = {
  library: { snippets: name("snippets"), variations: name("variations") },
  trash: { snippets: name("trashed_snippets"), variations: name("trashed_variations") },
} as const;

/** The variations of a snippet in their order. */
export async function listVariationRows(
  transaction: Transaction,
  workspaceId: string,
  snippetId: string,
  place: Place = "library",
): Promise<VariationRow[]> {
  const { snippets, variations } = tablesIn[place];
  const rows = await transaction.all<
    Omit<VariationRow, "id" | "version_id"> & { id: string | null; version_id: string | null }
  >(
    sql`select s.variation_id as id, s.variation_name as name, s.variant_order_index, s.content_type,
          octet_length(s.content) as content_bytes, s.version_id, coalesce(s.variation_updated_at, s.created_at) as updated_at,
          coalesce(s.changed_at, s.created_at) as changed_at, coalesce(s.changed_by, s.created_by) as changed_by
        from ${snippets} s where s.workspace_id = ${workspaceId} and s.id = ${snippetId}
        union all
        select v.id, v.name, v.variant_order_index, v.content_type, octet_length(v.content), v.version_id, v.updated_at, v.changed_at,
          coalesce(v.changed_by, (select s.created_by from ${snippets} s where s.workspace_id = v.workspace_id and s.id = v.snippet_id))
        from ${variations} v where v.workspace_id = ${workspaceId} and v.snippet_id = ${snippetId}
        order by variant_order_index`,
  );
  return rows.map((row) => ({
    ...row,
    id: row.id ?? twinId(snippetId),
    version_id: row.version_id ?? firstVersionId(snippetId),
  }));
}

/** The texts of these variations of a snippet, by order index. */
export async function findVariationTexts(
  transaction: Transaction,
  workspaceId: string,
  snippetId: string,
  orderIndexes: readonly number[],
  place: Place = "library",
): Promise<ReadonlyMap<number, string>> {
  const { snippets, variations } = tablesIn[place];
  const rows = await transaction.all<{ variant_order_index: number; content: string }>(
    sql`select variant_order_index, content from ${snippets}
        where workspace_id = ${workspaceId} and id = ${snippetId} and variant_order_index in ${list(orderIndexes)}
        union all
        select variant_order_index, content from ${variations}
        where workspace_id = ${workspaceId} and snippet_id = ${snippetId} and variant_order_index in ${list(orderIndexes)}`,
  );
  return new Map(rows.map((row) => [row.variant_order_index, row.content]));
}

export interface SnippetHead {
  readonly id: string;
  readonly title: string;
  readonly snippet_note: string | null;
  readonly shortcut: string | null;
  readonly folder_id: string | null;
  readonly team_id: string;
  readonly workspace_id: string;
  readonly is_archived: boolean;
  readonly created_by: string;
  readonly updated_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly tag_ids: string[];
}

/** A snippet without its texts. */
export async function findSnippetHead(
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<SnippetHead | undefined> {
  const row = await transaction.first<Omit<SnippetHead, "tag_ids"> & { tag_ids: unknown }>(
    sql`select s.id, s.title, s.snippet_note, s.shortcut, s.folder_id, s.team_id, s.workspace_id, s.is_archived, s.created_by,
          coalesce(s.updated_by, s.created_by) as updated_by, s.created_at, s.updated_at,
          case when s.has_tags then (select json_agg(t.tag_id order by t.tag_id) from snippet_tags t
            where t.workspace_id = s.workspace_id and t.snippet_id = s.id) end as tag_ids
        from snippets s where s.workspace_id = ${workspaceId} and s.id = ${id}`,
  );
  return (
    row && { ...row, is_archived: Boolean(row.is_archived), tag_ids: fromJson<string[] | null>(row.tag_ids) ?? [] }
  );
}
