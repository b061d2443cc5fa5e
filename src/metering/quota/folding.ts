// Folding: ledger rows that are older than the retention become daily totals, so that the database stays small.
// Always true: a call is in the ledger or in one daily total, never in both and never in neither.
import { lockForWorkspaceChange } from "../../accounts/workspaces/workspaces.store.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import type { YieldToCalls } from "../../platform/jobs.ts";
import { addDays, dayOf, startOfDay } from "../../platform/time.ts";
import { addLeavingCalls } from "../usage/totals.ts";
import * as store from "./folding.store.ts";

/** Rows of one transaction: so few that calls wait for milliseconds only, on an engine with one writer. */
export const foldedRowsMax = 200;
const keysAtOnce = 256;

export interface Folded {
  /** Rows that went from the ledger into daily totals. */
  readonly rows: number;
  /** Older rows were folded. Always the beginning of a day, so that whole days are folded. */
  readonly before: string;
}

/** The beginning of the oldest day in UTC that is kept. */
export const foldedBefore = (now: string, days: number): string => startOfDay(dayOf(addDays(now, -days)));

/**
 * Folds all old rows, portion by portion, each in a transaction. What a crash leaves is folded the next time. Several nodes may fold at
 * the same time.
 * @param yieldToCalls called before every transaction
 */
export async function foldLedger(
  database: Database,
  days: number,
  yieldToCalls: YieldToCalls = async () => true,
): Promise<Folded> {
  const before = await database.read(async ({ now }) => foldedBefore(now, days));
  let rows = 0;
  let last: store.KeyPosition | undefined = store.beforeAllKeys;
  while (last && (await yieldToCalls())) {
    const after: store.KeyPosition = last;
    const keys = await database.read((transaction) => store.listKeysAfter(transaction, after, keysAtOnce));
    const old = keys.flatMap(({ workspace_id, id, oldest_at: from }) =>
      from !== null && from < before ? [{ workspace_id, id, from }] : [],
    );
    for (const [workspaceId, found] of Map.groupBy(old, (key) => key.workspace_id)) {
      let left: readonly OldKey[] = found;
      while (left.length > 0 && (await yieldToCalls())) {
        const keysLeft = left;
        const portion = await database.transaction((transaction) =>
          foldPortion(transaction, workspaceId, keysLeft, before),
        );
        rows += portion.rows;
        left = portion.left;
      }
    }
    last = keys.at(-1);
  }
  return { rows, before };
}

interface OldKey {
  readonly id: string;
  /** When its first call was admitted that is not folded yet. */
  readonly from: string;
}

/** @returns how many rows were folded, and the keys that may have more */
async function foldPortion(
  transaction: Transaction,
  workspaceId: string,
  keys: readonly OldKey[],
  before: string,
): Promise<{ rows: number; left: readonly OldKey[] }> {
  // Other nodes do not fold the same workspace until the end of the transaction. No call waits for this row.
  lockForWorkspaceChange(transaction, workspaceId);
  let remaining = foldedRowsMax;
  for (const [index, { id, from }] of keys.entries()) {
    const calls = await store.deleteCalls(transaction, workspaceId, id, { from, before }, remaining);
    for (const total of totalsOf(calls)) store.addToDay(transaction, workspaceId, id, total);
    await addLeavingCalls(transaction, workspaceId, id, calls);
    remaining -= calls.length;
    if (remaining > 0) continue;
    const newest = calls.reduce((found, { admitted_at }) => (admitted_at > found ? admitted_at : found), from);
    return { rows: foldedRowsMax, left: [{ id, from: newest }, ...keys.slice(index + 1)] };
  }
  return { rows: foldedRowsMax - remaining, left: [] };
}

/** What the calls of a key add up to, by day, operation and status. */
function totalsOf(calls: readonly store.OldCall[]): store.DayTotal[] {
  const totals = new Map<string, store.DayTotal>();
  for (const { operation, status, units, admitted_at } of calls) {
    const day = dayOf(admitted_at);
    const key = [day, operation, status].join(" ");
    const sum = totals.get(key) ?? { day, operation, status, calls: 0, units: 0 };
    totals.set(key, { ...sum, calls: sum.calls + 1, units: sum.units + units });
  }
  return [...totals.values()];
}
