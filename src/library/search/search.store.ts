// The statements of a search.
import type { Transaction } from "../../platform/database/database.ts";
import { fromJson, list, type Sql, sql } from "../../platform/database/sql.ts";
import type { SearchedTexts } from "./matching.ts";

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
  readonly isArchived: boolean;
  readonly updatedSince: string | undefined;
  readonly createdSince: string | undefined;
}

const all = sql`1 = 1`;
const oneOf = (column: Sql, values: readonly string[] | undefined): Sql => {
  if (values === undefined) return all;
  return values.length === 0 ? sql`1 = 0` : sql`${column} in ${list(values)}`;
};

const passes = (filter: SearchFilter): Sql => {
  const { contentType, createdBy, updatedSince, createdSince, tagIds } = filter;
  return sql`${oneOf(sql`s.team_id`, filter.teamIds)} and ${oneOf(sql`s.folder_id`, filter.folderIds)}
    and s.is_archived = ${filter.isArchived}
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
export interface Candidate extends SearchedTexts {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

interface CandidateRow {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly title: string;
  readonly shortcut: string | null;
  readonly note: string | null;
  readonly content: string;
  readonly tags: unknown;
  readonly more: unknown;
}

/** The snippets that pass the filter, by id, from the one after `after`. */
export async function listCandidates(
  transaction: Transaction,
  workspaceId: string,
  filter: SearchFilter,
  after: string,
  limit: number,
): Promise<Candidate[]> {
  const rows = await transaction.all<CandidateRow>(
    sql`select s.id, s.created_at, s.updated_at, s.title, s.shortcut, s.snippet_note as note, s.content,
          case when s.has_tags then (select json_agg(g.tag_name) from snippet_tags t
            join tags g on g.workspace_id = t.workspace_id and g.id = t.tag_id
            where t.workspace_id = s.workspace_id and t.snippet_id = s.id) end as tags,
          case when s.variation_count > 1 then (select json_agg(v.content) from variations v
            where v.workspace_id = s.workspace_id and v.snippet_id = s.id) end as more
        from snippets s where s.workspace_id = ${workspaceId} and s.id > ${after} and ${passes(filter)}
        order by s.id limit ${limit}`,
  );
  return rows.map(({ content, tags, more, ...row }) => ({
    ...row,
    tags: fromJson<string[] | null>(tags) ?? [],
    contents: [content, ...(fromJson<string[] | null>(more) ?? [])],
  }));
}

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
