// Password reset links. Anyone can request one; it is mailed to the owner of the account.
import { makePasswordToken, passwordLink } from "../../accounts/people/password-links.ts";
import { findPersonByEmail, usesOnlySingleSignOn } from "../../accounts/people/people.store.ts";
import { admitMail } from "../../accounts/sign-in/throttle.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import { queueMail } from "../../platform/mail/outbox.ts";
import type { OwnTransactionCall } from "../call.ts";

/** Continues after it has resolved, so that the duration does not reveal whether the account exists. */
export async function mailPasswordLink({ context, request }: OwnTransactionCall, email: string): Promise<void> {
  const { config, database, report } = context;
  if (!config.mail) return;
  const isAdmitted = await database.transaction((transaction) => admitMail(transaction, request.clientAddress, email));
  if (!isAdmitted) return;
  const work = database.transaction(async (transaction) => {
    const person = await findPersonByEmail(transaction, email);
    if (!person || person.disabled_at !== null) return;
    if (config.openId && (await usesOnlySingleSignOn(transaction, person.id)))
      return queueMail(transaction, { recipient: email, ...mailWithoutLink(config.openId.name, context.origin) });
    const token = makePasswordToken(transaction, person.id, consoleLimits.resetLinkMinutes);
    queueMail(transaction, { recipient: email, ...mailOf(passwordLink(context.origin, token)) });
  });
  work.catch((cause: unknown) => report("", cause));
}

/** A password would outlast the removal of the person at the provider. */
const mailWithoutLink = (provider: string, origin: string) => ({
  subject: "Sign in to Commonplace with single sign-on",
  body: `Hello,

We received a request to reset the password for your Commonplace account. Your account has no password: you sign in with ${provider}.

Sign in:
${origin}/console/sign-in

If you did not request this, you can ignore this email. If you need a password, ask the operator of the service.
`,
});

const mailOf = (link: string) => ({
  subject: "Reset your Commonplace password",
  body: `Hello,

We received a request to reset the password for your Commonplace account.

Reset your password:
${link}

The link works once and expires in ${consoleLimits.resetLinkMinutes} minutes. Resetting your password signs you out everywhere and revokes your access tokens. Two-factor authentication and passkeys stay as they are.

If you did not request this, you can ignore this email. Your password stays the same.
`,
});
