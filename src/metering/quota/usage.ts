// The usage of a month, from the daily totals.
import type { Transaction } from "../../platform/database/database.ts";
import { boundsOfMonth } from "../../platform/time.ts";
import { sumUsage, type UsageRow } from "./usage.store.ts";

/** The usage of a month by operation and by key, the largest first. */
export async function readUsage(transaction: Transaction, workspaceId: string, month: string) {
  const { from, before } = boundsOfMonth(month);
  const rows = await sumUsage(transaction, workspaceId, from, before);
  const by_operation = sumsOf(rows, ({ operation }) => ({ operation })).sort(
    (left, right) => byUse(left, right) || compare(left.operation, right.operation),
  );
  const by_key = sumsOf(rows, ({ key_id, name, secret_start }) => ({ key_id, name, secret_start })).sort(
    (left, right) => byUse(left, right) || compare(left.key_id, right.key_id),
  );
  return {
    workspace_id: workspaceId,
    month,
    calls: by_operation.reduce((sum, row) => sum + row.calls, 0),
    units: by_operation.reduce((sum, row) => sum + row.units, 0),
    by_operation,
    by_key,
  };
}

interface Use {
  readonly calls: number;
  readonly units: number;
}

/** One sum for all rows with the same group. */
function sumsOf<Group extends object>(rows: readonly UsageRow[], groupOf: (row: UsageRow) => Group) {
  const sums = new Map<string, Group & Use>();
  for (const row of rows) {
    const group = groupOf(row);
    const groupKey = JSON.stringify(group);
    const sum: Use = sums.get(groupKey) ?? { calls: 0, units: 0 };
    sums.set(groupKey, { ...group, calls: sum.calls + row.calls, units: sum.units + row.units });
  }
  return [...sums.values()];
}

const byUse = (left: Use, right: Use): number => right.units - left.units || right.calls - left.calls;

const compare = (left: string, right: string): number => (left < right ? -1 : Number(left > right));
