// Removes rows whose time is over, which refuse by themselves already, so that they do not pile up: sessions, one-time links and codes,
// invitations, access tokens, and mails.
import type { Database, Transaction } from "../../platform/database/database.ts";
import type { YieldToCalls } from "../../platform/jobs.ts";
import { removeMailsBefore } from "../../platform/mail/mails.store.ts";
import { addDays } from "../../platform/time.ts";
import {
  deleteExpiredInvitations,
  deleteExpiredSessions,
  deleteExpiredTokens,
  deleteExpiredVerifications,
} from "./cleanup.store.ts";

/** Calls wait behind a portion where there is one writer. */
const portionRows = 200;

type Remove = (transaction: Transaction, before: string, limit: number) => Promise<number>;

/** Days that a row is kept after its end: what is listed is shown for some time, so that somebody finds out why it stopped. */
const kinds: readonly { readonly remove: Remove; readonly keptDays: number }[] = [
  { remove: deleteExpiredSessions, keptDays: 0 },
  { remove: deleteExpiredVerifications, keptDays: 0 },
  { remove: deleteExpiredInvitations, keptDays: 30 },
  { remove: deleteExpiredTokens, keptDays: 30 },
  { remove: removeMailsBefore, keptDays: 30 },
];

/** @returns rows that went */
export async function deleteExpired(database: Database, yieldToCalls: YieldToCalls): Promise<number> {
  let rows = 0;
  for (const { remove, keptDays } of kinds) {
    let portion: number;
    do {
      if (!(await yieldToCalls())) return rows;
      portion = await database.transaction((transaction) =>
        remove(transaction, addDays(transaction.now, -keptDays), portionRows),
      );
      rows += portion;
    } while (portion === portionRows);
  }
  return rows;
}
