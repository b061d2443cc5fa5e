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
}

/** These teams by name. @param teamIds undefined: all teams */
export const listTeamsOfTree = (
  transaction: Transaction,
  workspaceId: string,
  teamIds: readonly string[] | undefined,
): Promise<TeamInTree[]> =>
  transaction.all(
    sql`select t.id, t.name, t.visibility,
          (select count(*) from snippets s where s.workspace_id = t.workspace_id and s.team_id = t.id) as snippet_count,
          (select count(*) from snippets s where s.workspace_id = t.workspace_id and s.team_id = t.id
            and s.is_archived = ${true}) as archived_count
        from teams t where t.workspace_id = ${workspaceId} and ${inTeams("t.id", teamIds)} order by t.name, t.id`,
  );
