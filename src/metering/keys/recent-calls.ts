// How many calls keys made recently.
import type { Transaction } from "../../platform/database/database.ts";
import { addDays, dayOf } from "../../platform/time.ts";
import { callsOfKeys } from "../usage/totals.store.ts";

const days = 30;

/** Counts the calls of these keys in the last 30 days, today included, by key id. A key without calls may be missing. */
export function countRecentCalls(
  transaction: Transaction,
  workspaceId: string,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const from = dayOf(addDays(transaction.now, 1 - days));
  return callsOfKeys(transaction, workspaceId, keyIds, from);
}
