// The usage of some days, from the daily totals.
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

/** Calls and units from the first moment of one day to just before another's, by key and operation; deleted keys keep their name. */
export const sumUsage = (
  transaction: Transaction,
  workspaceId: string,
  from: string,
  before: string,
): Promise<UsageRow[]> =>
  transaction.all(
    sql`select u.operation, u.key_id, k.name, k.secret_start, u.calls, u.units
        from (
          select operation, key_id, sum(calls) as calls, sum(units) as units from usage_totals
          where workspace_id = ${workspaceId} and day >= ${dayOf(from)} and day < ${dayOf(before)}
          group by operation, key_id
        ) u
        join api_keys k on k.workspace_id = ${workspaceId} and k.id = u.key_id`,
  );
