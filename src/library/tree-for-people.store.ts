// The statement behind the console's list of teams with what they have.
import type { Transaction } from "../platform/database/database.ts";
import { sql } from "../platform/database/sql.ts";
import { inTeams } from "./teams.store.ts";

export interface TeamInTree {
  readonly id: string;
  readonly name: string;
  readonly visibility: "private" | "internal";
  readonly snippet_count: number;
  readonly archived_count: number;
  readonly has_examples: boolean;
}

/** These teams by name. @param teamIds undefined: all teams */
export async function listTeamsOfTree(
  transaction: Transaction,
  workspaceId: string,
  teamIds: readonly string[] | undefined,
): Promise<TeamInTree[]> {
  const teams = await transaction.all<TeamInTree>(
    sql`select t.id, t.name, t.visibility,
          (select count(*) from snippets s where s.workspace_id = t.workspace_id and s.team_id = t.id) as snippet_count,
          (select count(*) from snippets s where s.workspace_id = t.workspace_id and s.team_id = t.id
            and s.is_archived = ${true}) as archived_count,
          exists (select 1 from library_examples e where e.workspace_id = t.workspace_id and e.team_id = t.id) as has_examples
        from teams t where t.workspace_id = ${workspaceId} and ${inTeams("t.id", teamIds)} order by t.name, t.id`,
  );
  return teams.map((team) => ({ ...team, has_examples: Boolean(team.has_examples) }));
}
