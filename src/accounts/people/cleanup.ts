// Deletes expired sessions, one-time links and codes, invitations, access tokens and mails, which no longer work, and what was kept of
// deleted accounts.
import type { Database, Transaction } from "../../platform/database/database.ts";
import type { YieldToCalls } from "../../platform/jobs.ts";
import { removeMailsBefore } from "../../platform/mail/mails.store.ts";
import { addDays } from "../../platform/time.ts";
import { forgetAddresses } from "../audit/chain.store.ts";
import { forgetSignInsBefore } from "../sign-in/evidence.store.ts";
import {
  deleteExpiredAttempts,
  deleteExpiredInvitations,
  deleteExpiredSessions,
  deleteExpiredTokens,
  deleteExpiredVerifications,
} from "./cleanup.store.ts";

/** Rows of one transaction. On an engine with one writer, calls wait for it. */
const portionRows = 200;

type DeleteRows = (transaction: Transaction, before: string, limit: number) => Promise<number>;

/** How many days an expired row is kept. Rows that lists show are kept longer, to explain why something stopped working. */
const kinds: readonly { readonly deleteRows: DeleteRows; readonly keptDays: number }[] = [
  // Not rows, but the IP addresses in the audit entries of deleted accounts.
  { deleteRows: forgetAddresses, keptDays: 0 },
  { deleteRows: deleteExpiredSessions, keptDays: 0 },
  { deleteRows: deleteExpiredVerifications, keptDays: 0 },
  { deleteRows: deleteExpiredAttempts, keptDays: 0 },
  { deleteRows: deleteExpiredInvitations, keptDays: 30 },
  { deleteRows: deleteExpiredTokens, keptDays: 30 },
  { deleteRows: removeMailsBefore, keptDays: 30 },
  // After this time, a browser or network counts as new again.
  { deleteRows: forgetSignInsBefore, keptDays: 180 },
];

/** @returns how many rows were deleted */
export async function deleteExpired(database: Database, yieldToCalls: YieldToCalls): Promise<number> {
  let rows = 0;
  for (const { deleteRows, keptDays } of kinds) {
    let portion: number;
    do {
      if (!(await yieldToCalls())) return rows;
      portion = await database.transaction((transaction) =>
        deleteRows(transaction, addDays(transaction.now, -keptDays), portionRows),
      );
      rows += portion;
    } while (portion === portionRows);
  }
  return rows;
}
