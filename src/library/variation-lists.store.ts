// The statements on all variations of a snippet: where they are, and their order.
import type { Transaction } from "../platform/database/database.ts";
import { sql } from "../platform/database/sql.ts";
import { firstVersionId, twinId } from "./snippet-ids.ts";

/** A variation without its text. */
export interface NamedPlace {
  readonly id: string;
  readonly name: string;
  readonly variant_order_index: number;
  readonly variation_number: number;
}

/** The variations of a snippet, in their order. */
export async function listPlaces(
  transaction: Transaction,
  workspaceId: string,
  snippetId: string,
): Promise<NamedPlace[]> {
  const rows = await transaction.all<Omit<NamedPlace, "id"> & { id: string | null }>(
    sql`select variation_id as id, variation_name as name, variant_order_index,
          coalesce(variation_number, variant_order_index) as variation_number
        from snippets where workspace_id = ${workspaceId} and id = ${snippetId}
        union all
        select id, name, variant_order_index, coalesce(variation_number, variant_order_index)
        from variations where workspace_id = ${workspaceId} and snippet_id = ${snippetId}
        order by variant_order_index`,
  );
  return rows.map((row) => ({ ...row, id: row.id ?? twinId(snippetId) }));
}

/** The bytes of text in all variations of a snippet, measured without reading the texts. */
export async function sumVariationBytes(
  transaction: Transaction,
  workspaceId: string,
  snippetId: string,
): Promise<number> {
  const row = await transaction.first<{ bytes: number | null }>(
    sql`select sum(bytes) as bytes from (
          select octet_length(content) as bytes from snippets where workspace_id = ${workspaceId} and id = ${snippetId}
          union all
          select octet_length(content) from variations
          where workspace_id = ${workspaceId} and snippet_id = ${snippetId}) texts`,
  );
  return row?.bytes ?? 0;
}

/** Gives the further variations of a snippet these order indexes. Negative ones come first, because no two may ever share an index. */
export function placeFurtherVariations(
  transaction: Transaction,
  workspaceId: string,
  snippetId: string,
  places: readonly { readonly id: string; readonly variant_order_index: number }[],
): void {
  transaction.send(
    sql`update variations set variation_number = coalesce(variation_number, variant_order_index),
          variant_order_index = -1 - variant_order_index
        where workspace_id = ${workspaceId} and snippet_id = ${snippetId}`,
  );
  transaction.update(
    "variations",
    ["workspace_id", "id"],
    places.map(({ id, variant_order_index }) => ({ workspace_id: workspaceId, id, variant_order_index })),
  );
}

/** Copies the first variation of a snippet to the further ones, which all have a higher order index. */
export const copyFirstVariation = (transaction: Transaction, workspaceId: string, snippetId: string): void =>
  transaction.send(
    sql`insert into variations (workspace_id, id, snippet_id, name, variant_order_index, variation_number, created_at, updated_at,
          version_id, changed_at, changed_by, content_type, content)
        select workspace_id, coalesce(variation_id, ${twinId(snippetId)}), id, variation_name, variant_order_index,
          coalesce(variation_number, variant_order_index), variation_created_at, coalesce(variation_updated_at, created_at),
          coalesce(version_id, ${firstVersionId(snippetId)}), coalesce(changed_at, created_at), changed_by, content_type, content
        from snippets where workspace_id = ${workspaceId} and id = ${snippetId}`,
  );
