// A one-time code works once (RFC 6238, 5.2): a person who watches it being typed cannot use it again within its 30 seconds.
import type { Transaction } from "../../platform/database/database.ts";
import { addSeconds } from "../../platform/time.ts";
import { deleteUsedCode, insertUsedCode, isCodeUsed, lockForCodeUse } from "./used-codes.store.ts";

/** A code is accepted in its own period of 30 seconds, in the one before and in the one after. */
const rememberedSeconds = 120;

/** Claims a code before it is tried. @returns false where the person used it already, or uses it at this moment */
export async function claimCode(transaction: Transaction, personId: string, code: string): Promise<boolean> {
  lockForCodeUse(transaction, personId);
  if (await isCodeUsed(transaction, personId, code)) return false;
  insertUsedCode(transaction, personId, code, addSeconds(transaction.now, rememberedSeconds));
  return true;
}

/** Lets a claimed code that was wrong be tried again. */
export const releaseCode = deleteUsedCode;
