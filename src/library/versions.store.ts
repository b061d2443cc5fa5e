// The statements on the versions of variations: the current one lies with its variation, former ones in rows of their own.
import type { HistoryRecord } from "../contract/variations.ts";
import type { Transaction } from "../platform/database/database.ts";
import { list, name, type Sql, sql } from "../platform/database/sql.ts";
import { firstVersionId } from "./snippet-ids.ts";
import { versionBytes } from "./stored-bytes.store.ts";
import { sum } from "./stored-bytes.ts";
import type { OwnedVariation, VariationPlace } from "./variations.store.ts";

/** Keeps the current version of a variation, which is about to get another one. */
export const keepVersion = (
  transaction: Transaction,
  workspaceId: string,
  { snippet_id, variation_number, currentVersion, variation: { content } }: OwnedVariation,
): void =>
  transaction.insert("former_versions", [
    {
      workspace_id: workspaceId,
      snippet_id,
      variation_number,
      ...currentVersion,
      content_type: content.type,
      content: content.content,
    },
  ]);

/** Deletes the former versions of variations of a snippet. @returns the bytes that they took */
export async function removeVersions(
  transaction: Transaction,
  workspaceId: string,
  snippetId: string,
  numbers: readonly number[],
): Promise<number> {
  const removed = await transaction.all<{ bytes: number }>(
    sql`delete from former_versions where workspace_id = ${workspaceId} and snippet_id = ${snippetId}
          and variation_number in ${list(numbers)} returning ${versionBytes} as bytes`,
  );
  return sum(removed.map(({ bytes }) => bytes));
}

/** The newest versions in a range of time that includes both ends. */
export interface VersionPage {
  readonly from: string;
  readonly to: string;
  readonly limit: number;
}

const isAt = (workspaceId: string, snippetId: Sql, place: VariationPlace): Sql =>
  sql`workspace_id = ${workspaceId} and ${snippetId} = ${place.snippet_id} and variant_order_index = ${place.variant_order_index}`;

const isFormerOf = (workspaceId: string, place: VariationPlace): Sql =>
  sql`workspace_id = ${workspaceId} and snippet_id = ${place.snippet_id} and variation_number = ${place.variation_number}`;

/** The current version if it is in the range. `text` is what to select of the text. */
const current = (workspaceId: string, place: VariationPlace, { from, to }: VersionPage, text: Sql): Sql => sql`
  select 1 as is_current, version_id as id, coalesce(changed_at, created_at) as changed_at, content_type, ${text} from snippets
  where ${isAt(workspaceId, name("id"), place)} and coalesce(changed_at, created_at) >= ${from} and coalesce(changed_at, created_at) <= ${to}
  union all
  select 1 as is_current, version_id as id, changed_at, content_type, ${text} from variations
  where ${isAt(workspaceId, name("snippet_id"), place)} and changed_at >= ${from} and changed_at <= ${to}`;

const formerInRange = (workspaceId: string, place: VariationPlace, { from, to }: VersionPage): Sql =>
  sql`${isFormerOf(workspaceId, place)} and changed_at >= ${from} and changed_at <= ${to}`;

/** The versions on the page, newest first. The current version is newer than all others. */
const onPage = (workspaceId: string, place: VariationPlace, page: VersionPage, text: Sql): Sql => sql`
  select * from (
    ${current(workspaceId, place, page, text)}
    union all
    select * from (
      select 0 as is_current, id, changed_at, content_type, ${text} from former_versions
      where ${formerInRange(workspaceId, place, page)} order by changed_at desc, id desc limit ${page.limit}) former) versions
  order by is_current desc, changed_at desc, id desc limit ${page.limit}`;

/** The bytes of text on the page, measured without reading the texts. */
export async function sumVersionBytes(
  transaction: Transaction,
  workspaceId: string,
  place: VariationPlace,
  page: VersionPage,
): Promise<number> {
  const row = await transaction.first<{ bytes: number | null }>(
    sql`select sum(bytes) as bytes from (${onPage(workspaceId, place, page, name("octet_length(content) as bytes"))}) page`,
  );
  return row?.bytes ?? 0;
}

/** How many versions the whole range has. */
export async function countVersions(
  transaction: Transaction,
  workspaceId: string,
  place: VariationPlace,
  page: VersionPage,
): Promise<number> {
  const row = await transaction.first<{ total: number }>(
    sql`select (select count(*) from former_versions where ${formerInRange(workspaceId, place, page)})
          + (select count(*) from (${current(workspaceId, place, page, name("0"))}) present) as total`,
  );
  return row?.total ?? 0;
}

/** The versions on the page, newest first. */
export async function listVersions(
  transaction: Transaction,
  workspaceId: string,
  place: VariationPlace,
  page: VersionPage,
): Promise<HistoryRecord[]> {
  const rows = await transaction.all<{ id: string | null; changed_at: string; content_type: string; content: string }>(
    sql`${onPage(workspaceId, place, page, name("content"))}`,
  );
  return rows.map((row) => ({
    id: row.id ?? firstVersionId(place.snippet_id),
    changed_at: row.changed_at,
    content: { type: row.content_type, content: row.content },
  }));
}
