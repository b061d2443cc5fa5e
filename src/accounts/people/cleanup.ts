// Sessions, one-time things and invitations whose time is over refuse by themselves; a round removes their rows, so that they do not pile up.
import type { Database, Transaction } from "../../platform/database/database.ts";
import { addDays } from "../../platform/time.ts";
import {
  removeEndedInvitations,
  removeEndedSessions,
  removeEndedTokens,
  removeEndedVerifications,
} from "./cleanup.store.ts";

/** Calls wait behind a portion where there is one writer. */
const portionRows = 200;

type Remove = (transaction: Transaction, before: string, most: number) => Promise<number>;

/** Days that a row is kept after its end: what is listed is shown for some time, so that somebody finds out why it stopped. */
const kinds: readonly { readonly remove: Remove; readonly keptDays: number }[] = [
  { remove: removeEndedSessions, keptDays: 0 },
  { remove: removeEndedVerifications, keptDays: 0 },
  { remove: removeEndedInvitations, keptDays: 30 },
  { remove: removeEndedTokens, keptDays: 30 },
];

/** @returns rows that went */
export async function removeEnded(database: Database, mayGoOn: () => Promise<boolean>): Promise<number> {
  let rows = 0;
  for (const { remove, keptDays } of kinds) {
    let portion: number;
    do {
      if (!(await mayGoOn())) return rows;
      portion = await database.transaction((transaction) =>
        remove(transaction, addDays(transaction.now, -keptDays), portionRows),
      );
      rows += portion;
    } while (portion === portionRows);
  }
  return rows;
}
