// The ledger and its daily totals, added.
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { dayOf } from "../../platform/time.ts";

export interface UsageRow {
  readonly key_id: string;
  readonly name: string;
  readonly secret_start: string;
  readonly operation: string;
  readonly calls: number;
  readonly units: number;
}

/**
 * Calls and units from the first moment of one day to just before another's, by key and operation; deleted keys keep their name.
 * One statement, so that a call which is folded meanwhile is counted once. It groups by operation first, because by key SQLite would
 * walk the index of the keys and look up every row from there, which takes several times as long.
 */
export const sumUsage = (
  transaction: Transaction,
  workspaceId: string,
  from: string,
  before: string,
): Promise<UsageRow[]> =>
  transaction.all(
    sql`select u.operation, u.key_id, k.name, k.secret_start, sum(u.calls) as calls, sum(u.units) as units
        from (
          select operation, key_id, count(*) as calls, sum(units) as units from ledger
          where workspace_id = ${workspaceId} and admitted_at >= ${from} and admitted_at < ${before}
          group by operation, key_id
          union all
          select operation, key_id, calls, units from usage_days
          where workspace_id = ${workspaceId} and day >= ${dayOf(from)} and day < ${dayOf(before)}
        ) u
        join api_keys k on k.workspace_id = ${workspaceId} and k.id = u.key_id
        group by u.operation, u.key_id, k.name, k.secret_start`,
  );
