// Usage added up: each key's calls go into daily totals, in the order of their numbers, so that a page of usage is a short walk however
// many calls there were. Always true: a call is in the totals exactly when its number is not above its key's mark, or when it was folded.
import { lockForWorkspaceChange } from "../../accounts/workspaces/workspaces.store.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import type { YieldToCalls } from "../../platform/jobs.ts";
import { dayOf } from "../../platform/time.ts";
import { beforeAllKeys } from "../quota/folding.store.ts";
import * as store from "./totals.store.ts";

/** So few that no call waits for more than some milliseconds, where there is one writer. */
export const callsAtOnce = 500;
const keysAtOnce = 256;

/**
 * Adds all calls that are not in the totals yet, a portion a transaction; several nodes may do so at once. What was left undone, by a
 * crash or an end in between, is done the next time.
 * @param yieldToCalls called before every transaction
 * @returns how many calls were added
 */
export async function addUpUsage(database: Database, yieldToCalls: YieldToCalls = async () => true): Promise<number> {
  let added = 0;
  let last: store.KeyPlace | undefined = beforeAllKeys;
  while (last && (await yieldToCalls())) {
    const after: store.KeyPlace = last;
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
 * Adds calls that leave the ledger, those of them that were not in the totals before. They are gone then: no mark moves.
 * The workspace must be held.
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
  // Whoever adds up or folds the same workspace waits here, and sees the marks of those before.
  lockForWorkspaceChange(transaction, workspaceId);
  const marks = await store.findMarks(transaction, workspaceId, keyIds);
  let added = 0;
  for (const [index, keyId] of keyIds.entries()) {
    const mark = marks.get(keyId) ?? { key_id: keyId, key_call: 0, admitted_at: beforeAllTime };
    const room = callsAtOnce - added;
    const { calls, newMark } = await nextCalls(transaction, workspaceId, mark, room);
    for (const total of totalsOf(keyId, calls)) store.addToTotal(transaction, workspaceId, total);
    if (newMark) store.setMark(transaction, workspaceId, newMark);
    added += calls.length;
    if (calls.length === room) return { added, left: keyIds.slice(index) };
  }
  return { added, left: [] };
}

const beforeAllTime = "0001-01-01T00:00:00.000Z";

/**
 * The calls of a key stand in line, so that whoever sees one sees all before it: their numbers have no gap. Where the next ones by time
 * are not the next ones by number, a clock was corrected in between, or calls were folded before they were added: then their numbers
 * alone decide.
 */
async function nextCalls(
  transaction: Transaction,
  workspaceId: string,
  mark: store.Mark,
  most: number,
): Promise<{ calls: readonly store.UncountedCall[]; newMark: store.Mark | undefined }> {
  // Asked before the calls: those up to this one are all to be seen then, or gone.
  const newest = await store.findNewestCall(transaction, workspaceId, mark.key_id);
  if (!newest || newest.key_call <= mark.key_call) return { calls: [], newMark: undefined };
  const byTime = await store.listCallsByTime(transaction, workspaceId, mark, most);
  const isInLine = byTime.length > 0 && byTime.every((call, index) => call.key_call === mark.key_call + 1 + index);
  const calls = isInLine ? byTime : await store.listCallsByNumber(transaction, workspaceId, mark, most);
  const last = calls.at(-1);
  if (!last) return { calls, newMark: newest };
  return {
    calls,
    newMark: { key_id: mark.key_id, key_call: last.key_call, admitted_at: last.admitted_at },
  };
}

/** What the calls of a key add up to. */
function totalsOf(keyId: string, calls: readonly store.UncountedCall[]): store.Total[] {
  const totals = new Map<string, store.Total>();
  for (const { operation, status, team_id, units, admitted_at } of calls) {
    const day = dayOf(admitted_at);
    const place = [day, operation, status, team_id].join(" ");
    const sum = totals.get(place) ?? {
      ...{ day, key_id: keyId, operation, status, team_id: team_id ?? "" },
      ...{ calls: 0, units: 0 },
    };
    totals.set(place, { ...sum, calls: sum.calls + 1, units: sum.units + units });
  }
  return [...totals.values()];
}
