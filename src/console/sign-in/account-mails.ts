// Emails to the owner of an account about its security, so that they learn of changes that they did not make.
import type { Client } from "../../accounts/sign-in/evidence.ts";
import { browserName } from "../../contract/console/user-agent.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { oneLine, queueMail } from "../../platform/mail/outbox.ts";
import { dayInWords } from "../../platform/time.ts";
import type { SignInDependencies } from "./context.ts";

/** The changes that are announced, by the name of their audit entry: the subject, and what happened. */
const announcements: Readonly<Record<string, readonly [subject: string, sentence: string]>> = {
  "session.create": ["New sign-in to your Commonplace account", "Someone signed in to your Commonplace account."],
  "password.change": ["Your Commonplace password was changed", "The password of your Commonplace account was changed."],
  "password.reset": [
    "Your Commonplace password was reset",
    "A link was used to reset the password of your Commonplace account.",
  ],
  "second_factor.enable": [
    "Two-factor authentication was turned on",
    "Two-factor authentication was turned on for your Commonplace account.",
  ],
  "second_factor.disable": [
    "Two-factor authentication was turned off",
    "Two-factor authentication was turned off for your Commonplace account.",
  ],
  "second_factor.drop": [
    "Your two-factor authentication was removed",
    "An operator removed two-factor authentication and all passkeys from your Commonplace account.",
  ],
  "recovery_codes.create": [
    "New recovery codes for your Commonplace account",
    "New recovery codes were generated for your Commonplace account. The old ones no longer work.",
  ],
  "passkey.create": ["A passkey was added to your account", "A passkey was added to your Commonplace account."],
  "passkey.delete": ["A passkey was removed from your account", "A passkey was removed from your Commonplace account."],
};

const change = "If not, change your password and sign out all other sessions";
/** If someone else changed it, the owner does not know the new one. */
const reset = "If not, reset your password. Select “Forgot your password?” on this page";

/**
 * Queues the email about a change, where the instance sends email and the change is announced.
 * @param client undefined where somebody else did it, whose address is nobody else's business
 */
export function announce(
  { config, origin }: Pick<SignInDependencies, "config" | "origin">,
  transaction: Transaction,
  { email }: { readonly email: string },
  action: string,
  client?: Client,
): void {
  const [subject, sentence] = announcements[action] ?? [];
  if (!config.mail || subject === undefined || sentence === undefined) return;
  const { now } = transaction;
  queueMail(transaction, {
    recipient: email,
    subject,
    body: `Hello,

${sentence}

Time: ${dayInWords(now)} at ${now.slice(11, 16)} UTC
${client ? `IP address: ${client.address}\nBrowser: ${oneLine(browserName(client.userAgent))}\n` : ""}
If you expected this, there is nothing to do. ${action.startsWith("password.") ? reset : change}:
${origin}/console/account
`,
  });
}
