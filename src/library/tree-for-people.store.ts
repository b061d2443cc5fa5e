// The statements behind the console's tree of teams, folders and tags.
import type { Folder } from "../contract/folders.ts";
import type { Tag } from "../contract/tags.ts";
import type { Transaction } from "../platform/database/database.ts";
import { list, name, type Sql, sql } from "../platform/database/sql.ts";

/** Undefined: all teams. */
export type TeamIds = readonly string[] | undefined;

const inTeams = (alias: string, teamIds: TeamIds): Sql => {
  if (teamIds === undefined) return sql`1 = 1`;
  return teamIds.length === 0 ? sql`1 = 0` : sql`${name(alias)}.team_id in ${list(teamIds)}`;
};

export interface TeamInTree {
  readonly id: string;
  readonly name: string;
  readonly visibility: "private" | "internal";
  readonly snippet_count: number;
  readonly archived_count: number;
}

export const listTeamsOfTree = (
  transaction: Transaction,
  workspaceId: string,
  teamIds: TeamIds,
): Promise<TeamInTree[]> =>
  transaction.all(
    sql`select t.id, t.name, t.visibility,
          (select count(*) from snippets s where s.workspace_id = t.workspace_id and s.team_id = t.id) as snippet_count,
          (select count(*) from snippets s where s.workspace_id = t.workspace_id and s.team_id = t.id
            and s.is_archived = ${true}) as archived_count
        from teams t where t.workspace_id = ${workspaceId} and ${teamIds === undefined ? sql`1 = 1` : teamIds.length === 0 ? sql`1 = 0` : sql`t.id in ${list(teamIds)}`}
        order by t.name, t.id`,
  );

export const listFoldersOfTree = (
  transaction: Transaction,
  workspaceId: string,
  teamIds: TeamIds,
  most: number,
): Promise<(Folder & { snippet_count: number })[]> =>
  transaction.all(
    sql`select f.id, f.folder_name, f.folder_color, f.parent_folder_id, f.team_id, f.workspace_id, f.created_at, f.updated_at,
          (select count(*) from snippets s where s.workspace_id = f.workspace_id and s.folder_id = f.id) as snippet_count
        from folders f where f.workspace_id = ${workspaceId} and ${inTeams("f", teamIds)} order by f.id limit ${most}`,
  );

export const listTagsOfTree = (
  transaction: Transaction,
  workspaceId: string,
  teamIds: TeamIds,
  most: number,
): Promise<(Tag & { snippet_count: number })[]> =>
  transaction.all(
    sql`select g.id, g.tag_name, g.tag_color, g.parent_tag_id, g.team_id, g.workspace_id, g.created_at, g.updated_at,
          (select count(*) from snippet_tags s where s.workspace_id = g.workspace_id and s.tag_id = g.id) as snippet_count
        from tags g where g.workspace_id = ${workspaceId} and ${inTeams("g", teamIds)} order by g.id limit ${most}`,
  );
