// The statements that read everything of a team's snippets.
import type { Transaction } from "../../platform/database/database.ts";
import { list, type Sql, sql } from "../../platform/database/sql.ts";

export interface ExportedSize {
  readonly id: string;
  /** Of its texts and its note, as they are stored. */
  readonly bytes: number;
  readonly texts: number;
}

/** Some snippets of a team. */
export type Selection =
  | { readonly ids: readonly string[] }
  /** The next ones in the order of their IDs. */
  | { readonly teamId: string; readonly afterId: string; readonly limit: number };

/** How much there is to export of each snippet. @param withVersions counts earlier versions too */
export const listSizesForExport = (
  transaction: Transaction,
  workspaceId: string,
  selection: Selection,
  withVersions: boolean,
): Promise<ExportedSize[]> =>
  transaction.all<ExportedSize>(
    sql`select s.id,
          octet_length(s.content) + coalesce(octet_length(s.snippet_note), 0) + case when s.variation_count = 1 then 0 else (
            select coalesce(sum(octet_length(v.content)), 0) from variations v
            where v.workspace_id = s.workspace_id and v.snippet_id = s.id) end ${withVersions ? sizeOfVersions : nothing} as bytes,
          s.variation_count ${withVersions ? countOfVersions : nothing} as texts
        from snippets s where s.workspace_id = ${workspaceId} and ${whichOf(selection)}`,
  );

const nothing = sql``;
const sizeOfVersions = sql`+ (select coalesce(sum(octet_length(f.content)), 0) from former_versions f
  where f.workspace_id = s.workspace_id and f.snippet_id = s.id)`;
const countOfVersions = sql`+ (select count(*) from former_versions f
  where f.workspace_id = s.workspace_id and f.snippet_id = s.id)`;

/** Written so that only the index of the IDs fits: that of teams would be read from its start, and sorted, for each page. */
const whichOf = (selection: Selection): Sql =>
  "ids" in selection
    ? sql`s.id in ${list(selection.ids)} order by s.id`
    : sql`(s.team_id = ${selection.teamId}) is true and s.id > ${selection.afterId} order by s.id limit ${selection.limit}`;

/** Up to so many snippets of a team, in no particular order. */
export const listSomeIds = async (
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
  limit: number,
): Promise<string[]> => {
  const rows = await transaction.all<{ id: string }>(
    sql`select id from snippets where workspace_id = ${workspaceId} and team_id = ${teamId} limit ${limit}`,
  );
  return rows.map(({ id }) => id);
};

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

/** These snippets, in the order of their IDs. */
export const listForExport = (
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<ExportedSnippet[]> =>
  transaction.all<ExportedSnippet>(
    sql`select id, title, snippet_note, shortcut, folder_id, is_archived, created_at, updated_at, variation_name,
          coalesce(variation_number, variant_order_index) as variation_number, coalesce(changed_at, created_at) as changed_at,
          content_type, content
        from snippets where workspace_id = ${workspaceId} and id in ${list(ids)} order by id`,
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

/** The further variations of one snippet after this place in their order. */
export const listVariationsAfter = (
  transaction: Transaction,
  workspaceId: string,
  snippetId: string,
  afterIndex: number,
  limit: number,
): Promise<(ExportedVariation & { readonly variant_order_index: number })[]> =>
  transaction.all(
    sql`select snippet_id, name, variant_order_index, coalesce(variation_number, variant_order_index) as variation_number, changed_at,
          content_type, content
        from variations where workspace_id = ${workspaceId} and snippet_id = ${snippetId} and variant_order_index > ${afterIndex}
        order by variant_order_index limit ${limit}`,
  );

type ExportedVersion = Omit<ExportedVariation, "name">;

/** Former versions, the oldest first. */
export const listVersionsForExport = (
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<ExportedVersion[]> =>
  transaction.all(
    sql`select snippet_id, variation_number, changed_at, content_type, content from former_versions
        where workspace_id = ${workspaceId} and snippet_id in ${list(ids)} order by snippet_id, variation_number, changed_at, id`,
  );

/** The former versions of one variation after one of them, the oldest first. */
export const listVersionsAfter = (
  transaction: Transaction,
  workspaceId: string,
  snippetId: string,
  variationNumber: number,
  after: { readonly changed_at: string; readonly id: string } | undefined,
  limit: number,
): Promise<(ExportedVersion & { readonly id: string })[]> =>
  transaction.all(
    sql`select snippet_id, variation_number, changed_at, id, content_type, content from former_versions
        where workspace_id = ${workspaceId} and snippet_id = ${snippetId} and variation_number = ${variationNumber}
          ${after ? sql`and (changed_at, id) > (${after.changed_at}, ${after.id})` : nothing}
        order by changed_at, id limit ${limit}`,
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
