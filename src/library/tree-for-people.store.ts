// The statements behind the console's tree: teams with what they have, and what of folders and tags is archived.
import type { Transaction } from "../platform/database/database.ts";
import { sql } from "../platform/database/sql.ts";
import { inTeams } from "./teams.store.ts";

export interface TeamInTree {
  readonly id: string;
  readonly name: string;
  readonly visibility: "private" | "internal";
  readonly snippet_count: number;
  readonly archived_count: number;
  readonly trashed_count: number;
  readonly has_examples: boolean;
}

/** These teams by name. @param teamIds undefined: all teams. @param trashedAfter what was deleted before is gone */
export async function listTeamsOfTree(
  transaction: Transaction,
  workspaceId: string,
  teamIds: readonly string[] | undefined,
  trashedAfter: string,
): Promise<TeamInTree[]> {
  const teams = await transaction.all<TeamInTree>(
    sql`select t.id, t.name, t.visibility,
          (select count(*) from snippets s where s.workspace_id = t.workspace_id and s.team_id = t.id) as snippet_count,
          (select count(*) from snippets s where s.workspace_id = t.workspace_id and s.team_id = t.id
            and s.is_archived = ${true}) as archived_count,
          coalesce(d.trashed_count, 0) as trashed_count,
          exists (select 1 from library_examples e where e.workspace_id = t.workspace_id and e.team_id = t.id) as has_examples
        from teams t left join (select s.team_id, count(*) as trashed_count from trashed_snippets s
            where s.workspace_id = ${workspaceId} and s.deleted_at > ${trashedAfter} group by s.team_id) d on d.team_id = t.id
        where t.workspace_id = ${workspaceId} and ${inTeams("t.id", teamIds)} order by t.name, t.id`,
  );
  return teams.map((team) => ({ ...team, has_examples: Boolean(team.has_examples) }));
}

interface ArchivedCount {
  /** Null for snippets in no folder. */
  readonly id: string | null;
  readonly archived_count: number;
}

/**
 * How many archived snippets are directly in each folder of these teams; a folder without any has no row. Asking only for those with a
 * folder would make SQLite walk all snippets by folder, instead of the archived ones.
 */
export const countArchivedByFolder = (
  transaction: Transaction,
  workspaceId: string,
  teamIds: readonly string[] | undefined,
): Promise<ArchivedCount[]> =>
  transaction.all(
    sql`select s.folder_id as id, count(*) as archived_count from snippets s
        where s.workspace_id = ${workspaceId} and s.is_archived = ${true} and ${inTeams("s.team_id", teamIds)}
        group by s.folder_id`,
  );

/** How many archived snippets have each tag of these teams; a tag without any has no row. */
export const countArchivedByTag = (
  transaction: Transaction,
  workspaceId: string,
  teamIds: readonly string[] | undefined,
): Promise<ArchivedCount[]> =>
  transaction.all(
    sql`select m.tag_id as id, count(*) as archived_count from snippets s
        join snippet_tags m on m.workspace_id = s.workspace_id and m.snippet_id = s.id
        where s.workspace_id = ${workspaceId} and s.is_archived = ${true} and ${inTeams("s.team_id", teamIds)}
        group by m.tag_id`,
  );
