// How busy keys were lately.
import type { Transaction } from "../../platform/database/database.ts";
import { callsOfKeys } from "../usage/totals.store.ts";

const days = 30;
const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** The calls of these keys in the last 30 days, today included, by key id; a key without calls may be missing. */
export function countRecentCalls(
  transaction: Transaction,
  workspaceId: string,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const from = new Date(Date.parse(transaction.now) - (days - 1) * dayMilliseconds).toISOString().slice(0, 10);
  return callsOfKeys(transaction, workspaceId, keyIds, from);
}
