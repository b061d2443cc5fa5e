// The statements of a search.
import type { Transaction } from "../../platform/database/database.ts";
import { fromJson, list, type Sql, sql } from "../../platform/database/sql.ts";
import type { SnippetRow } from "../snippets.store.ts";
import { contentsOf, type TextsOfRow, textsOfRow } from "./index.store.ts";

/** Which snippets are searched at all. */
export interface SearchFilter {
  /** Undefined: all teams. */
  readonly teamIds: readonly string[] | undefined;
  /** Undefined: wherever they are. */
  readonly folderIds: readonly string[] | undefined;
  /** All of these. */
  readonly tagIds: readonly string[];
  readonly contentType: string | undefined;
  readonly createdBy: string | undefined;
  /** Undefined: archived or not. */
  readonly isArchived: boolean | undefined;
  readonly updatedSince: string | undefined;
  readonly createdSince: string | undefined;
}

const all = sql`1 = 1`;
const oneOf = (column: Sql, values: readonly string[] | undefined): Sql => {
  if (values === undefined) return all;
  return values.length === 0 ? sql`1 = 0` : sql`${column} in ${list(values)}`;
};

const passes = (filter: SearchFilter): Sql => {
  const { contentType, createdBy, isArchived, updatedSince, createdSince, tagIds } = filter;
  return sql`${oneOf(sql`s.team_id`, filter.teamIds)} and ${oneOf(sql`s.folder_id`, filter.folderIds)}
    and ${isArchived === undefined ? all : sql`s.is_archived = ${isArchived}`}
    and ${contentType === undefined ? all : sql`s.content_type = ${contentType}`}
    and ${createdBy === undefined ? all : sql`s.created_by = ${createdBy}`}
    and ${updatedSince === undefined ? all : sql`s.updated_at >= ${updatedSince}`}
    and ${createdSince === undefined ? all : sql`s.created_at >= ${createdSince}`}
    and ${
      tagIds.length === 0
        ? all
        : sql`(select count(*) from snippet_tags t where t.workspace_id = s.workspace_id and t.snippet_id = s.id
            and t.tag_id in ${list(tagIds)}) = ${tagIds.length}`
    }`;
};

/** A snippet to look into. */
export interface CandidateRow extends Omit<SnippetRow, "content" | "snippet_note"> {
  readonly note: string | null;
  readonly tags: readonly string[];
  /** The texts of its variations; null where they are long. */
  readonly contents: readonly string[] | null;
}

/** When those of the snippets that pass the filter were changed. */
export const listPassing = (
  transaction: Transaction,
  workspaceId: string,
  filter: SearchFilter,
  ids: readonly string[],
): Promise<{ id: string; updated_at: string }[]> =>
  transaction.all(
    sql`select s.id, s.updated_at from snippets s
        where s.workspace_id = ${workspaceId} and s.id in ${list(ids)} and ${passes(filter)}`,
  );

/**
 * Those of the snippets that pass the filter.
 * @param textBytesMax up to which size a text is read with its row; undefined where no texts are needed
 */
export async function findCandidates(
  transaction: Transaction,
  workspaceId: string,
  filter: SearchFilter,
  ids: readonly string[],
  textBytesMax: number | undefined,
): Promise<CandidateRow[]> {
  const texts =
    textBytesMax === undefined
      ? sql`null as shortcut, null as note, null as tags, null as content, null as more`
      : sql`s.shortcut, s.snippet_note as note,
          case when s.has_tags then (select json_agg(g.tag_name) from snippet_tags t
            join tags g on g.workspace_id = t.workspace_id and g.id = t.tag_id
            where t.workspace_id = s.workspace_id and t.snippet_id = s.id) end as tags,
          ${textsOfRow(textBytesMax)}`;
  const rows = await transaction.all<Omit<CandidateRow, "tags" | "contents"> & TextsOfRow & { tags: unknown }>(
    sql`select s.id, s.created_at, s.updated_at, s.title, s.content_type, s.folder_id, s.team_id, s.workspace_id, s.is_archived, ${texts}
        from snippets s where s.workspace_id = ${workspaceId} and s.id in ${list(ids)} and ${passes(filter)}`,
  );
  return rows.map((row) => ({
    ...row,
    tags: fromJson<string[] | null>(row.tags) ?? [],
    contents: contentsOf(row),
  }));
}

/** The names of the tags of teams, line by line; of all without `teamIds`. One text is read much faster than many rows. */
export async function findTagNames(
  transaction: Transaction,
  workspaceId: string,
  teamIds: readonly string[] | undefined,
): Promise<string> {
  const row = await transaction.first<{ names: string | null }>(
    sql`select string_agg(s.tag_name, cast(${"\n"} as text)) as names
        from tags s where s.workspace_id = ${workspaceId} and ${oneOf(sql`s.team_id`, teamIds)}`,
  );
  return row?.names ?? "";
}

/** The tags of teams; of all without `teamIds`. */
export const listTagNames = (
  transaction: Transaction,
  workspaceId: string,
  teamIds: readonly string[] | undefined,
): Promise<{ id: string; tag_name: string }[]> =>
  transaction.all(
    sql`select s.id, s.tag_name from tags s where s.workspace_id = ${workspaceId} and ${oneOf(sql`s.team_id`, teamIds)}`,
  );

/** The snippets created before this one, newest first. */
export const listIdsByCreation = (
  transaction: Transaction,
  workspaceId: string,
  before: { readonly created_at: string; readonly id: string } | undefined,
  limit: number,
): Promise<{ id: string; created_at: string }[]> =>
  transaction.all(
    sql`select id, created_at from snippets where workspace_id = ${workspaceId}
          and ${before ? sql`(created_at, id) < (${before.created_at}, ${before.id})` : all}
        order by created_at desc, id desc limit ${limit}`,
  );

/** The IDs of a folder and of all folders inside it. */
export async function listFolderIdsInside(
  transaction: Transaction,
  workspaceId: string,
  folderId: string,
): Promise<string[]> {
  const rows = await transaction.all<{ id: string }>(
    sql`with recursive inside (id) as (
          select id from folders where workspace_id = ${workspaceId} and id = ${folderId}
          union all
          select f.id from folders f join inside i on f.workspace_id = ${workspaceId} and f.parent_folder_id = i.id)
        select id from inside`,
  );
  return rows.map((row) => row.id);
}

/** The tags of these snippets. */
export async function findTagIds(
  transaction: Transaction,
  workspaceId: string,
  snippetIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (snippetIds.length === 0) return new Map();
  const rows = await transaction.all<{ snippet_id: string; tag_id: string }>(
    sql`select snippet_id, tag_id from snippet_tags
        where workspace_id = ${workspaceId} and snippet_id in ${list(snippetIds)} order by tag_id`,
  );
  const bySnippet = Map.groupBy(rows, (row) => row.snippet_id);
  return new Map([...bySnippet].map(([id, tags]) => [id, tags.map((row) => row.tag_id)]));
}
