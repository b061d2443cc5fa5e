// Signs a person in who followed a link: their session, with what it leaves behind.
import { insertSession } from "../../accounts/people/sessions.store.ts";
import { type Account, recordSignIn, type SignInMethod } from "../../accounts/sign-in/evidence.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { addDays } from "../../platform/time.ts";
import type { OwnTransactionCall } from "../call.ts";
import { clientOf } from "./evidence.ts";

/**
 * @param followLink uses up the link, in the transaction that opens the session
 * @returns the session's cookie
 */
export async function signInByLink(
  { context, request }: OwnTransactionCall,
  method: SignInMethod,
  followLink: (transaction: Transaction) => Promise<Account>,
): Promise<string> {
  const { tokenHash, cookie } = await context.signIn.newSession();
  const client = clientOf(request);
  await context.database.transaction(async (transaction) => {
    const person = await followLink(transaction);
    await recordSignIn(transaction, person, client, method);
    insertSession(transaction, {
      personId: person.id,
      tokenHash,
      clientAddress: client.address,
      userAgent: client.userAgent,
      expiresAt: addDays(transaction.now, consoleLimits.sessionDays),
    });
  });
  context.signIns?.signedIn();
  return cookie;
}
