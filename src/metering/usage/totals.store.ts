// The rows of daily totals. Each call is added to them in its own transaction, so they contain every call at any time.
import type { Transaction } from "../../platform/database/database.ts";
import { list, type Sql, sql } from "../../platform/database/sql.ts";
import { dayOf } from "../../platform/time.ts";

/** What the totals need to know of a call. */
export interface CountedCall {
  readonly workspace_id: string;
  readonly key_id: string;
  readonly operation: string;
  readonly status: number;
  /** Null for none or several. */
  readonly team_id: string | null;
  readonly units: number;
  readonly admitted_at: string;
}

const groupColumns = ["workspace_id", "day", "key_id", "operation", "status", "team_id"];

/** Adds calls to the totals of their day, key, operation, status and team. On PostgreSQL, their keys are locked. */
export function addToTotals(transaction: Transaction, calls: readonly CountedCall[]): void {
  const totals = new Map<string, Record<string, string | number> & { calls: number; units: number }>();
  for (const { workspace_id, key_id, operation, status, team_id, units, admitted_at } of calls) {
    const day = dayOf(admitted_at);
    const group = `${day} ${key_id} ${operation} ${status} ${team_id}`;
    const total = totals.get(group);
    if (total) {
      total.calls += 1;
      total.units += units;
    } else totals.set(group, { workspace_id, day, key_id, operation, status, team_id: team_id ?? "", calls: 1, units });
  }
  transaction.add("usage_totals", groupColumns, [...totals.values()]);
}

export type UsagePart = "operation" | "key" | "team";

export interface UsageSum {
  readonly day: string;
  /** Operation name, key id or team id; '' for no team or several. */
  readonly part: string;
  readonly calls: number;
  readonly units: number;
}

const parts: Readonly<Record<UsagePart, Sql>> = {
  operation: sql`operation`,
  key: sql`cast(key_id as text)`,
  team: sql`team_id`,
};

/** Calls and units of each day and part, both days included. */
export const sumUsage = (
  transaction: Transaction,
  workspaceId: string,
  { from, to, by }: { from: string; to: string; by: UsagePart },
): Promise<UsageSum[]> =>
  transaction.all<UsageSum>(
    sql`select day, ${parts[by]} as part, sum(calls) as calls, sum(units) as units from usage_totals
        where workspace_id = ${workspaceId} and day >= ${from} and day <= ${to} group by 1, 2`,
  );

/** Counts the calls of each key since the beginning of a day. Keys without calls are left out. */
export async function callsOfKeys(
  transaction: Transaction,
  workspaceId: string,
  keyIds: readonly string[],
  fromDay: string,
): Promise<Map<string, number>> {
  if (keyIds.length === 0) return new Map();
  const rows = await transaction.all<{ key_id: string; calls: number }>(
    sql`select key_id, sum(calls) as calls from usage_totals
        where workspace_id = ${workspaceId} and day >= ${fromDay} and key_id in ${list(keyIds)} group by key_id`,
  );
  return new Map(rows.map((row) => [row.key_id, row.calls]));
}

/** Units that a key has drawn since the beginning of a day. */
export async function unitsOfKey(
  transaction: Transaction,
  workspaceId: string,
  keyId: string,
  fromDay: string,
): Promise<number> {
  const row = await transaction.first<{ units: number | null }>(
    sql`select sum(units) as units from usage_totals
        where workspace_id = ${workspaceId} and key_id = ${keyId} and day >= ${fromDay}`,
  );
  return row?.units ?? 0;
}

/** The newest of these days on which the key made calls. */
export async function findNewestDay(
  transaction: Transaction,
  workspaceId: string,
  keyId: string,
  days: readonly string[],
): Promise<string | undefined> {
  const row = await transaction.first<{ day: string | null }>(
    sql`select max(day) as day from usage_totals
        where workspace_id = ${workspaceId} and key_id = ${keyId} and day in ${list(days)}`,
  );
  return row?.day ?? undefined;
}
