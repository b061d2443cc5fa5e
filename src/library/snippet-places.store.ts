// Where snippets are: their folder, their tags, and whether they are archived.
import type { Transaction } from "../platform/database/database.ts";
import { fromJson, list, sql } from "../platform/database/sql.ts";

export interface SnippetPlace {
  readonly id: string;
  readonly title: string;
  readonly team_id: string;
  readonly folder_id: string | null;
  readonly folder_name: string | null;
  readonly is_archived: boolean;
  readonly created_at: string;
  readonly tag_ids: readonly string[];
}

/** The places of the snippets with these IDs, in no particular order. */
export async function findSnippetPlaces(
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<SnippetPlace[]> {
  if (ids.length === 0) return [];
  const rows = await transaction.all<Omit<SnippetPlace, "tag_ids"> & { tag_ids: unknown }>(
    sql`select s.id, s.title, s.team_id, s.folder_id, s.is_archived, s.created_at,
          (select f.folder_name from folders f where f.workspace_id = s.workspace_id and f.id = s.folder_id) as folder_name,
          case when s.has_tags then (select json_agg(t.tag_id order by t.tag_id) from snippet_tags t
            where t.workspace_id = s.workspace_id and t.snippet_id = s.id) end as tag_ids
        from snippets s where s.workspace_id = ${workspaceId} and s.id in ${list(ids)}`,
  );
  return rows.map((row) => ({
    ...row,
    is_archived: Boolean(row.is_archived),
    tag_ids: fromJson<string[] | null>(row.tag_ids) ?? [],
  }));
}
