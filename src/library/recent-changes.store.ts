// The statement that finds what was changed in libraries a moment ago, by keys and by people, on any node.
import { operationNames, operations } from "../contract/operations.ts";
import type { Transaction } from "../platform/database/database.ts";
import { list, sql } from "../platform/database/sql.ts";

export interface RecentChange {
  readonly id: string;
  readonly workspace_id: string;
  /** Null where a request changed several teams, and where a team was deleted or restored. */
  readonly team_id: string | null;
}

const writes = operationNames.filter((name) => operations[name].method !== "GET");

/** What was changed in these workspaces. A row appears with its commit, so a look has to go back over the time that commits take. */
export const listRecentChanges = (
  transaction: Transaction,
  workspaceIds: readonly string[],
  since: string,
): Promise<RecentChange[]> =>
  transaction.all(
    sql`select id, workspace_id, team_id from ledger
        where workspace_id in ${list(workspaceIds)} and admitted_at > ${since} and status = 200
          and operation in ${list(writes)}
        union all
        select id, workspace_id, team_id from library_activity
        where workspace_id in ${list(workspaceIds)} and at > ${since}
        union all
        select id, workspace_id, null from audit_log
        where workspace_id in ${list(workspaceIds)} and at > ${since} and action in ('team.delete', 'team.restore')`,
  );
