// Emails the link with which people verify the address of their own account.
import { makeLinkToken, verificationLink } from "../../accounts/people/password-links.ts";
import { findPerson } from "../../accounts/people/people.store.ts";
import { admitMail } from "../../accounts/sign-in/throttle.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import { queueMail } from "../../platform/mail/outbox.ts";
import type { ConsoleCall } from "../call.ts";

const waitSeconds = 3_600;

/** @throws Refusal `conflict` for a verified address, and where no email is sent; `rate_limited` for too many links */
export async function mailVerificationLink({ context, transaction, actor }: ConsoleCall) {
  const { config, origin } = context;
  const person = await findPerson(transaction, actor.personId);
  if (!person) throw consoleErrors.signInRequired();
  if (person.email_verified) throw consoleErrors.emailVerified();
  if (!config.mail) throw consoleErrors.noEmail();
  if (!(await admitMail(transaction, actor.clientAddress, person.email)))
    throw consoleErrors.tooManyAttempts(waitSeconds);
  const token = makeLinkToken(transaction, "verify-email", person.id, consoleLimits.resetLinkMinutes);
  queueMail(transaction, { recipient: person.email, ...mailOf(verificationLink(origin, token)) });
  return { data: { message: `We emailed a link to ${person.email}` } };
}

const mailOf = (link: string) => ({
  subject: "Verify your email address for Commonplace",
  body: `Hello,

Verify that this email address belongs to your Commonplace account:
${link}

The link works once and expires in ${consoleLimits.resetLinkMinutes} minutes. You must be signed in to the account that requested it.

If you did not request this, you can ignore this email. The address stays unverified.
`,
});
