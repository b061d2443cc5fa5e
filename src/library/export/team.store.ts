// The statements that read everything of a team's snippets.
import type { Transaction } from "../../platform/database/database.ts";
import { list, sql } from "../../platform/database/sql.ts";

export interface ExportedSnippet {
  readonly id: string;
  readonly title: string;
  readonly snippet_note: string | null;
  readonly shortcut: string | null;
  readonly folder_id: string | null;
  readonly is_archived: boolean | number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly variation_name: string;
  readonly variation_number: number;
  readonly changed_at: string;
  readonly content_type: string;
  readonly content: string;
}

export const listForExport = (
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
  afterId: string,
  limit: number,
): Promise<ExportedSnippet[]> =>
  transaction.all<ExportedSnippet>(
    sql`select id, title, snippet_note, shortcut, folder_id, is_archived, created_at, updated_at, variation_name,
          coalesce(variation_number, variant_order_index) as variation_number, coalesce(changed_at, created_at) as changed_at,
          content_type, content
        from snippets where workspace_id = ${workspaceId} and team_id = ${teamId} and id > ${afterId} order by id limit ${limit}`,
  );

export interface ExportedVariation {
  readonly snippet_id: string;
  readonly name: string;
  readonly variation_number: number;
  readonly changed_at: string;
  readonly content_type: string;
  readonly content: string;
}

/** Further variations, in their order. */
export const listVariationsForExport = (
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<ExportedVariation[]> =>
  transaction.all<ExportedVariation>(
    sql`select snippet_id, name, coalesce(variation_number, variant_order_index) as variation_number, changed_at, content_type, content
        from variations where workspace_id = ${workspaceId} and snippet_id in ${list(ids)} order by snippet_id, variant_order_index`,
  );

/** Former versions, the oldest first. */
export const listVersionsForExport = (
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<Omit<ExportedVariation, "name">[]> =>
  transaction.all(
    sql`select snippet_id, variation_number, changed_at, content_type, content from former_versions
        where workspace_id = ${workspaceId} and snippet_id in ${list(ids)} order by snippet_id, variation_number, changed_at, id`,
  );

export const listTagsForExport = (
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ snippet_id: string; tag_id: string }[]> =>
  transaction.all(
    sql`select snippet_id, tag_id from snippet_tags where workspace_id = ${workspaceId} and snippet_id in ${list(ids)}
        order by snippet_id, tag_id`,
  );

/** The bytes of all texts of a team, with those of further variations and earlier versions. */
export async function sumTextsForExport(
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
): Promise<number> {
  const ofTeam = sql`workspace_id = ${workspaceId} and snippet_id in (
    select id from snippets where workspace_id = ${workspaceId} and team_id = ${teamId})`;
  const row = await transaction.first<{ bytes: number }>(
    sql`select coalesce((select sum(octet_length(content) + coalesce(octet_length(snippet_note), 0))
            from snippets where workspace_id = ${workspaceId} and team_id = ${teamId}), 0)
          + coalesce((select sum(octet_length(content)) from variations where ${ofTeam}), 0)
          + coalesce((select sum(octet_length(content)) from former_versions where ${ofTeam}), 0) as bytes`,
  );
  return Number(row?.bytes ?? 0);
}
