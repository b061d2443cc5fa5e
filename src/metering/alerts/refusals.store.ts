// The rows of keys with many refused requests, and of the alerts that were sent for them.
import type { Transaction } from "../../platform/database/database.ts";
import { type Sql, sql, type Value } from "../../platform/database/sql.ts";
import type { CountedReason } from "../keys/refused-requests.ts";
import { lockSettings, reachesSomebody } from "./settings.store.ts";

export interface RefusedKey {
  readonly workspace_id: string;
  readonly workspace_name: string;
  readonly id: string;
  readonly name: string;
}

/** What limits alerts: none of a key since this time, and fewer than `ofWorkspaceMax` of its workspace. */
export interface Pause {
  readonly alertedSince: string;
  readonly ofWorkspaceMax: number;
}

const alertsOf = (workspaceId: Value | Sql, since: string): Sql =>
  sql`(select count(*) from refusal_alerts o where o.workspace_id = ${workspaceId} and o.alerted_at > ${since})`;

/** The keys that had more refused requests since a minute than their workspace accepts, and whose alert is due. */
export const listRefusedKeys = (
  transaction: Transaction,
  { sinceMinute, hasMail, ...pause }: Pause & { sinceMinute: string; hasMail: boolean },
  limit: number,
): Promise<RefusedKey[]> =>
  transaction.all<RefusedKey>(
    sql`select r.workspace_id, w.name as workspace_name, r.key_id as id, k.name
        from (select workspace_id, key_id, sum(requests) as requests from refused_requests
          where minute >= ${sinceMinute} group by workspace_id, key_id) r
        join alert_settings s on s.workspace_id = r.workspace_id
        join workspaces w on w.id = r.workspace_id
        join api_keys k on k.workspace_id = r.workspace_id and k.id = r.key_id
        where r.requests > s.refusals_max and s.is_refusals_on = ${true} and w.deleted_at is null and k.deleted_at is null
          and ${reachesSomebody(hasMail)}
          and not exists (select 1 from refusal_alerts a
            where a.workspace_id = r.workspace_id and a.key_id = r.key_id and a.alerted_at > ${pause.alertedSince})
          and ${alertsOf(sql`r.workspace_id`, pause.alertedSince)} < ${pause.ofWorkspaceMax}
        order by r.workspace_id, r.key_id limit ${limit}`,
  );

/** Records an alert. @returns false where it is no longer due */
export async function recordRefusalAlert(
  transaction: Transaction,
  { workspace_id, id }: RefusedKey,
  { alertedSince, ofWorkspaceMax }: Pause,
): Promise<boolean> {
  // Nodes take turns, so that the count is exact.
  lockSettings(transaction, workspace_id);
  const row = await transaction.first<{ alerts: number }>(
    sql`select ${alertsOf(workspace_id, alertedSince)} as alerts`,
  );
  if (!row || row.alerts >= ofWorkspaceMax) return false;
  const changed = await transaction.run(
    sql`insert into refusal_alerts (workspace_id, key_id, alerted_at)
        values (${workspace_id}, ${id}, ${transaction.now})
        on conflict (workspace_id, key_id) do update set alerted_at = excluded.alerted_at
          where refusal_alerts.alerted_at <= ${alertedSince}`,
  );
  return changed === 1;
}

export interface ReasonCount {
  readonly reason: CountedReason;
  readonly requests: number;
}

export const countReasons = (
  transaction: Transaction,
  { workspace_id, id }: RefusedKey,
  sinceMinute: string,
): Promise<ReasonCount[]> =>
  transaction.all<ReasonCount>(
    sql`select reason, sum(requests) as requests from refused_requests
        where workspace_id = ${workspace_id} and key_id = ${id} and minute >= ${sinceMinute} group by reason`,
  );
