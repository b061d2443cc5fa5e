// The statements on the history of a variation as people see it: who wrote which text when.
import type { Transaction } from "../platform/database/database.ts";
import { list, name, type Sql, sql } from "../platform/database/sql.ts";
import { firstVersionId } from "./snippet-ids.ts";
import type { VariationPlace } from "./variations.store.ts";

/** A version without its text. */
export interface VersionRow {
  readonly id: string;
  readonly changed_at: string;
  readonly changed_by: string;
  readonly content_type: string;
  readonly content_bytes: number;
}

const at = (workspaceId: string, snippetId: string, place: VariationPlace): Sql =>
  sql`v.workspace_id = ${workspaceId} and ${name(snippetId)} = ${place.snippet_id} and v.variant_order_index = ${place.variant_order_index}`;

const formerOf = (workspaceId: string, place: VariationPlace): Sql =>
  sql`v.workspace_id = ${workspaceId} and v.snippet_id = ${place.snippet_id} and v.variation_number = ${place.variation_number}`;

const creator = sql`(select s.created_by from snippets s where s.workspace_id = v.workspace_id and s.id = v.snippet_id)`;

/** The current version of a variation. */
export async function findCurrentVersion(
  transaction: Transaction,
  workspaceId: string,
  place: VariationPlace,
): Promise<VersionRow | undefined> {
  const row = await transaction.first<Omit<VersionRow, "id"> & { id: string | null }>(
    sql`select v.version_id as id, coalesce(v.changed_at, v.created_at) as changed_at,
          coalesce(v.changed_by, v.created_by) as changed_by, v.content_type, octet_length(v.content) as content_bytes
        from snippets v where ${at(workspaceId, "v.id", place)}
        union all
        select v.version_id, v.changed_at, coalesce(v.changed_by, ${creator}), v.content_type, octet_length(v.content)
        from variations v where ${at(workspaceId, "v.snippet_id", place)}`,
  );
  return row && { ...row, id: row.id ?? firstVersionId(place.snippet_id) };
}

/** The former versions after a position, newest first. @returns one more than the limit where there are more */
export const listFormerVersions = (
  transaction: Transaction,
  workspaceId: string,
  place: VariationPlace,
  after: readonly string[] | undefined,
  limit: number,
): Promise<VersionRow[]> =>
  transaction.all(
    sql`select v.id, v.changed_at, coalesce(v.changed_by, ${creator}) as changed_by, v.content_type,
          octet_length(v.content) as content_bytes
        from former_versions v where ${formerOf(workspaceId, place)}
          and ${after ? sql`(v.changed_at, v.id) < (${after[0] ?? ""}, ${after[1] ?? ""})` : sql`1 = 1`}
        order by v.changed_at desc, v.id desc limit ${limit + 1}`,
  );

/** The texts of these versions: the current one and former ones. */
export async function findVersionTexts(
  transaction: Transaction,
  workspaceId: string,
  place: VariationPlace,
  ids: readonly string[],
): Promise<{ readonly current: string | undefined; readonly former: ReadonlyMap<string, string> }> {
  const rows = await transaction.all<{ id: string | null; is_current: number; content: string }>(
    sql`select v.id, 0 as is_current, v.content from former_versions v
        where ${formerOf(workspaceId, place)} and v.id in ${list(ids)}
        union all
        select null, 1, v.content from snippets v where ${at(workspaceId, "v.id", place)}
        union all
        select null, 1, v.content from variations v where ${at(workspaceId, "v.snippet_id", place)}`,
  );
  return {
    current: rows.find((row) => row.is_current === 1)?.content,
    former: new Map(rows.flatMap(({ id, content }) => (id === null ? [] : [[id, content] as const]))),
  };
}
