// Emails to the owner of an account about its security, so that they learn of changes that they did not make.
import type { Config } from "../../config.ts";
import { browserName } from "../../contract/console/user-agent.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { oneLine, queueMail } from "../../platform/mail/outbox.ts";
import { dayInWords } from "../../platform/time.ts";
import type { Client } from "./evidence.ts";

/** The changes that are announced, by the name of their audit entry, or of what it gives: the subject, and what happened. */
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
  "instance.rekey": [
    "Your two-factor authentication was removed",
    "An operator replaced this service's lost encryption key. This removed two-factor authentication from your Commonplace account. Your passkeys still work.",
  ],
  "member.password_link": [
    "An operator created a password reset link for your account",
    "An operator created a link to reset the password of your Commonplace account.",
  ],
  "account.disable": [
    "Your Commonplace account was disabled",
    "An operator disabled your Commonplace account. You cannot sign in. Your access tokens and the invitations that you sent no longer work.",
  ],
  "account.enable": [
    "Your Commonplace account was enabled",
    "An operator enabled your Commonplace account. You can sign in again.",
  ],
  "account.sign_out": [
    "You were signed out of Commonplace",
    "An operator ended all your Commonplace sessions, and revoked all your access tokens and the invitations that you sent.",
  ],
  "operator.grant": [
    "You are now an operator of Commonplace",
    "You were made an operator. Operators manage the whole service.",
  ],
  "operator.revoke": [
    "You are no longer an operator of Commonplace",
    "Your operator rights were revoked. Your roles in workspaces did not change. Invitations that you could send only as an operator no longer work.",
  ],
  "owner.grant": ["You are now an owner of a workspace", "You were made an owner of a Commonplace workspace."],
  "passkey.create": ["A passkey was added to your account", "A passkey was added to your Commonplace account."],
  "passkey.delete": ["A passkey was removed from your account", "A passkey was removed from your Commonplace account."],
};

/** What to do about it. The changes of operators are for their owner to ask about. */
function adviceFor(action: string, origin: string): string {
  if (action === "instance.rekey")
    return `To turn on two-factor authentication again, go to your account page:\n${origin}/console/account`;
  const ifFine = action === "session.create" ? "If this was you" : "If you expected this";
  return `${ifFine}, you can ignore this email. If not, ${remedyFor(action, origin)}`;
}

function remedyFor(action: string, origin: string): string {
  if (/^(account|operator|owner)\./.test(action)) return "contact the operator of this service.";
  const remedy = action.includes("password")
    ? // If someone else changed it, the owner does not know the new one.
      "reset your password. Open this link, sign out if you are signed in, and select “Forgot your password?”:"
    : "change your password and sign out all other sessions:";
  return `${remedy}\n${origin}/console/account`;
}

/** Where the email's links lead, and whether any is sent. */
export interface Announcing {
  readonly config: Pick<Config, "mail">;
  readonly origin: string;
}

/**
 * Queues the email about a change, where the instance sends email and the change is announced.
 * @param about client: undefined where somebody else did it, whose address is nobody else's business
 */
export function announce(
  { config, origin }: Announcing,
  transaction: Transaction,
  { email }: { readonly email: string },
  action: string,
  { client, workspaceName }: { readonly client?: Client; readonly workspaceName?: string } = {},
): void {
  const [subject, sentence] = announcements[action] ?? [];
  if (!config.mail || subject === undefined || sentence === undefined) return;
  const { now } = transaction;
  const facts = [
    ...(workspaceName === undefined ? [] : [`Workspace: ${oneLine(workspaceName)}`]),
    `Time: ${dayInWords(now)} at ${now.slice(11, 16)} UTC`,
    ...(client ? [`IP address: ${client.address}`, `Browser: ${oneLine(browserName(client.userAgent))}`] : []),
  ];
  queueMail(transaction, {
    recipient: email,
    subject,
    body: `Hello,

${sentence}

${facts.join("\n")}

${adviceFor(action, origin)}
`,
  });
}
