// Signs in with the link that a trial instance prints.
import { insertSession } from "../../accounts/people/sessions.store.ts";
import { useSignInToken } from "../../accounts/people/sign-in-links.ts";
import { recordSignIn } from "../../accounts/sign-in/evidence.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import type { signInOperations } from "../../contract/console/operations/sign-in.ts";
import { addDays } from "../../platform/time.ts";
import type { HandlerOf } from "../handler.ts";
import { clientOf } from "../sign-in/evidence.ts";

export const openSignInLink: HandlerOf<(typeof signInOperations)["postSignInLink"]> = async (call, { body }) => {
  const { context, request } = call;
  const session = await context.signIn.newSession();
  await context.database.transaction(async (transaction) => {
    const person = await useSignInToken(transaction, body.token);
    await recordSignIn(transaction, person, clientOf(request), { method: "link" });
    insertSession(transaction, {
      personId: person.id,
      tokenHash: session.tokenHash,
      clientAddress: request.clientAddress,
      userAgent: request.header("user-agent"),
      expiresAt: addDays(transaction.now, consoleLimits.sessionDays),
    });
  });
  context.signIns?.signedIn();
  return { data: { message: "Signed in" }, cookies: [session.cookie] };
};
