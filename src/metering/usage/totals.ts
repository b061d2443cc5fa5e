// Daily totals of usage: each key's calls are added in the order of their numbers, so that a page of usage reads few rows.
// Always true: a call is in the totals exactly when its number is not above its key's mark, or when it was folded.
import { lockForWorkspaceChange } from "../../accounts/workspaces/workspaces.store.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import type { YieldToCalls } from "../../platform/jobs.ts";
import { dayOf } from "../../platform/time.ts";
import { beforeAllKeys } from "../quota/folding.store.ts";
import * as store from "./totals.store.ts";

/** Calls of one transaction: so few that other calls wait for milliseconds only, on an engine with one writer. */
export const addedCallsMax = 500;
const keysAtOnce = 256;

/**
 * Adds all calls that are not in the totals yet, portion by portion, each in a transaction. Several nodes may do so at the same time. What
 * a crash leaves is added the next time.
 * @param yieldToCalls called before every transaction
 * @returns how many calls were added
 */
export async function addUpUsage(database: Database, yieldToCalls: YieldToCalls = async () => true): Promise<number> {
  let added = 0;
  let last: store.KeyPosition | undefined = beforeAllKeys;
  while (last && (await yieldToCalls())) {
    const after: store.KeyPosition = last;
    const keys = await database.read((transaction) => store.listProgressAfter(transaction, after, keysAtOnce));
    const behind = keys.filter((key) => key.calls > key.added);
    for (const [workspaceId, found] of Map.groupBy(behind, (key) => key.workspace_id)) {
      let left: readonly string[] = found.map((key) => key.id);
      while (left.length > 0 && (await yieldToCalls())) {
        const keyIds = left;
        const portion = await database.transaction((transaction) => addPortion(transaction, workspaceId, keyIds));
        added += portion.added;
        left = portion.left;
      }
    }
    last = keys.at(-1);
  }
  return added;
}

/**
 * Adds calls that leave the ledger and are not in the totals yet. No mark moves, because the calls are gone. The caller has locked the
 * workspace.
 */
export async function addLeavingCalls(
  transaction: Transaction,
  workspaceId: string,
  keyId: string,
  calls: readonly store.UncountedCall[],
): Promise<void> {
  if (calls.length === 0) return;
  const mark = (await store.findMarks(transaction, workspaceId, [keyId])).get(keyId);
  const uncounted = calls.filter((call) => call.key_call > (mark?.key_call ?? 0));
  for (const total of totalsOf(keyId, uncounted)) store.addToTotal(transaction, workspaceId, total);
}

/** @returns how many calls were added, and the keys that may have more */
async function addPortion(
  transaction: Transaction,
  workspaceId: string,
  keyIds: readonly string[],
): Promise<{ added: number; left: readonly string[] }> {
  // Other nodes that add or fold calls of the same workspace wait here, and then see the new marks.
  lockForWorkspaceChange(transaction, workspaceId);
  const marks = await store.findMarks(transaction, workspaceId, keyIds);
  let added = 0;
  for (const [index, keyId] of keyIds.entries()) {
    const mark = marks.get(keyId) ?? { key_id: keyId, key_call: 0, admitted_at: beforeAllTime };
    const remaining = addedCallsMax - added;
    const { calls, newMark } = await nextCalls(transaction, workspaceId, mark, remaining);
    for (const total of totalsOf(keyId, calls)) store.addToTotal(transaction, workspaceId, total);
    if (newMark) store.setMark(transaction, workspaceId, newMark);
    added += calls.length;
    if (calls.length === remaining) return { added, left: keyIds.slice(index) };
  }
  return { added, left: [] };
}

const beforeAllTime = "0001-01-01T00:00:00.000Z";

/**
 * The calls of a key run one after another, so a reader that sees one sees all before it, and their numbers have no gap. If the next calls
 * by time are not the next by number, a clock was corrected, or calls were folded before they were added. Then only the numbers count.
 */
async function nextCalls(
  transaction: Transaction,
  workspaceId: string,
  mark: store.Mark,
  limit: number,
): Promise<{ calls: readonly store.UncountedCall[]; newMark: store.Mark | undefined }> {
  // Read before the calls: all calls up to this one are visible then, or gone.
  const newest = await store.findNewestCall(transaction, workspaceId, mark.key_id);
  if (!newest || newest.key_call <= mark.key_call) return { calls: [], newMark: undefined };
  const byTime = await store.listCallsByTime(transaction, workspaceId, mark, limit);
  const isComplete = byTime.length > 0 && byTime.every((call, index) => call.key_call === mark.key_call + 1 + index);
  const calls = isComplete ? byTime : await store.listCallsByNumber(transaction, workspaceId, mark, limit);
  const last = calls.at(-1);
  if (!last) return { calls, newMark: newest };
  return {
    calls,
    newMark: { key_id: mark.key_id, key_call: last.key_call, admitted_at: last.admitted_at },
  };
}

/** The totals of a key's calls by day, operation, status and team. */
function totalsOf(keyId: string, calls: readonly store.UncountedCall[]): store.Total[] {
  const totals = new Map<string, store.Total>();
  for (const { operation, status, team_id, units, admitted_at } of calls) {
    const day = dayOf(admitted_at);
    const groupKey = [day, operation, status, team_id].join(" ");
    const sum = totals.get(groupKey) ?? {
      day,
      key_id: keyId,
      operation,
      status,
      team_id: team_id ?? "",
      calls: 0,
      units: 0,
    };
    totals.set(groupKey, { ...sum, calls: sum.calls + 1, units: sum.units + units });
  }
  return [...totals.values()];
}
