// The statement that finds snippets by their shortcut.
import type { Transaction } from "../platform/database/database.ts";
import { sql } from "../platform/database/sql.ts";
import { inTeams } from "./teams.store.ts";

/** For each of these teams that has the shortcut, by ID: its snippet with it that was updated last. Archived snippets are left out. */
export async function findShortcut(
  transaction: Transaction,
  workspaceId: string,
  teamIds: readonly string[] | undefined,
  shortcut: string,
): Promise<{ team_id: string; snippet_id: string }[]> {
  const rows = await transaction.all<{ team_id: string; snippet_id: string | null }>(
    sql`select t.id as team_id,
          (select s.id from snippets s where s.workspace_id = t.workspace_id and s.shortcut = ${shortcut} and s.team_id = t.id
            and s.is_archived = false order by s.updated_at desc, s.id desc limit 1) as snippet_id
        from teams t where t.workspace_id = ${workspaceId} and ${inTeams("t.id", teamIds)} order by t.id`,
  );
  return rows.flatMap(({ team_id, snippet_id }) => (snippet_id === null ? [] : [{ team_id, snippet_id }]));
}
