// Folding: ledger rows that are older than the retention become daily totals, so that the database stays small.
// Always true: a call is in the ledger or in one daily total, never in both and never in neither.
import { lockForWorkspaceChange } from "../../accounts/workspaces/workspaces.store.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import type { YieldToCalls } from "../../platform/jobs.ts";
import { addDays, dayOf, startOfDay } from "../../platform/time.ts";
import * as store from "./folding.store.ts";

/** Rows of one transaction: so few that calls wait for milliseconds only, on an engine with one writer. */
export const foldedRowsMax = 200;
const workspacesAtOnce = 256;

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
  let last: string | undefined = store.beforeAllWorkspaces;
  while (last !== undefined && (await yieldToCalls())) {
    const after: string = last;
    const workspaces = await database.read((transaction) =>
      store.listWorkspacesAfter(transaction, after, workspacesAtOnce),
    );
    for (const { id, oldest_at } of workspaces) {
      let from = oldest_at;
      while (from !== null && from < before && (await yieldToCalls())) {
        const span = { from, before };
        const portion = await database.transaction((transaction) => foldPortion(transaction, id, span));
        rows += portion.rows;
        from = portion.newest;
      }
    }
    last = workspaces.at(-1)?.id;
  }
  return { rows, before };
}

/** @returns how many rows were folded, and the time of the newest of them where there may be more */
async function foldPortion(
  transaction: Transaction,
  workspaceId: string,
  span: { from: string; before: string },
): Promise<{ rows: number; newest: string | null }> {
  // Other nodes do not fold the same workspace until the end of the transaction. No call waits for this row.
  lockForWorkspaceChange(transaction, workspaceId);
  const calls = await store.deleteCalls(transaction, workspaceId, span, foldedRowsMax);
  store.addToDays(transaction, totalsOf(workspaceId, calls));
  if (calls.length < foldedRowsMax) return { rows: calls.length, newest: null };
  const newest = calls.reduce((found, { admitted_at }) => (admitted_at > found ? admitted_at : found), span.from);
  return { rows: calls.length, newest };
}

/** What calls add up to, by day, key, operation and status. */
function totalsOf(workspace_id: string, calls: readonly store.OldCall[]): store.DayTotal[] {
  const totals = new Map<string, store.DayTotal>();
  for (const { key_id, operation, status, units, admitted_at } of calls) {
    const day = dayOf(admitted_at);
    const group = [day, key_id, operation, status].join(" ");
    const sum = totals.get(group) ?? { workspace_id, day, key_id, operation, status, calls: 0, units: 0 };
    totals.set(group, { ...sum, calls: sum.calls + 1, units: sum.units + units });
  }
  return [...totals.values()];
}
