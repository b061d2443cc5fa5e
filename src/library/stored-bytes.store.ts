// The bytes of snippets as SQL, measured without reading their texts.
import type { Transaction } from "../platform/database/database.ts";
import { list, name, type Sql, sql } from "../platform/database/sql.ts";
import { rowBytes } from "./stored-bytes.ts";

const row = name(String(rowBytes));

/** Of the row of a former version. */
export const versionBytes = sql`(${row} + octet_length(content_type) + octet_length(content))`;

/** Of the row of a variation whose name is in this column. */
export const variationBytes = (nameColumn: string): Sql => sql`(${versionBytes} + octet_length(${name(nameColumn)}))`;

/** Of a snippet's row with its first variation. */
const snippetBytes = sql`(${variationBytes("variation_name")} + octet_length(title) + coalesce(octet_length(snippet_note), 0)
  + coalesce(octet_length(shortcut), 0))`;

/** The tables of snippets, in the library or in the trash. */
const prefixOf = (place: "library" | "trash"): string => (place === "trash" ? "trashed_" : "");

/** About as many bytes as a row takes besides its text. */
const rowBytesOnDisk = name("500");

/** About as many bytes as the database deletes with a snippet `s`. */
export function bytesOnDisk(place: "library" | "trash"): Sql {
  const total = (table: string): Sql =>
    sql`(select coalesce(sum(octet_length(p.content) + ${rowBytesOnDisk}), 0) from ${name(prefixOf(place) + table)} p
         where p.workspace_id = s.workspace_id and p.snippet_id = s.id)`;
  return sql`octet_length(s.content) + ${rowBytesOnDisk} + ${total("variations")} + ${total("former_versions")}`;
}

/** Of these snippets with all that belongs to them, in the library or in the trash. */
export async function sumSnippetBytes(
  transaction: Transaction,
  place: "library" | "trash",
  workspaceId: string,
  ids: readonly string[],
): Promise<number> {
  const prefix = prefixOf(place);
  const total = (table: string, bytes: Sql, snippetId: string): Sql =>
    sql`(select coalesce(sum(${bytes}), 0) from ${name(prefix + table)}
         where workspace_id = ${workspaceId} and ${name(snippetId)} in ${list(ids)})`;
  const found = await transaction.first<{ bytes: number }>(
    sql`select ${total("snippets", snippetBytes, "id")} + ${total("variations", variationBytes("name"), "snippet_id")}
          + ${total("former_versions", versionBytes, "snippet_id")} as bytes`,
  );
  return found?.bytes ?? 0;
}
