// Turns audit entries into sentences. An entry names its action as noun and verb.
import type { RowOf } from "../../api.ts";
import { formatCount } from "../../components/index.ts";

export type AuditEntry = RowOf<"getAuditLog">;

const verbs: Readonly<Record<string, string>> = {
  "key.create": "created the API key",
  "key.change": "changed the API key",
  "key.rotate": "rotated the secret of the API key",
  "key.deactivate": "deactivated the API key",
  "key.activate": "activated the API key",
  "key.delete": "deleted the API key",
  "member.change": "changed the role of",
  "invitation.create": "invited",
  "invitation.delete": "revoked the invitation for",
  "team.create": "created the team",
  "team.change": "changed the team",
  "team.delete": "deleted the team",
  "team.restore": "restored the team",
  "team.export": "exported the team",
  "team.remove": "removed the team",
  "trash.restore": "restored a snippet from the trash",
  "trash.empty": "emptied the trash of",
  "library.import": "imported snippets into the team",
  "library.undo_import": "undid an import into the team",
  "library.export": "exported the snippets of the team",
  "workspace.create": "created the workspace",
  "workspace.delete": "deleted the workspace",
  "workspace.restore": "restored the workspace",
  "workspace.export": "exported the workspace",
  "workspace.remove": "removed the workspace",
  "workspace.change": "changed the workspace",
  "subscription.change": "changed the subscription for",
  "setup_link.create": "created a setup link",
  "instance.rekey": "replaced the instance key",
  "credit_limit.change": "changed the credit limit for",
  "policy.change": "changed the sign-in policy for",
  "alerts.change": "changed the alerts for",
  "alerts.rotate": "rotated the webhook secret of",
  "alerts.test": "sent a test alert to the webhook of",
  "alerts.send_again": "resent an alert to the webhook of",
  "storage.change": "changed the storage limit for",
  "token.create": "created the access token",
  "token.delete": "revoked the access token",
  "token.delete_all": "revoked all access tokens of",
  "package.grant": "credited the package",
  "purchase.create": "bought the package",
  "payment.record": "recorded a payment for",
  "payment.paid": "confirmed the payment for the package",
  "payment.failed": "reported a failed payment for the package",
  "payment.mismatch": "reported a mismatched payment for the package",
  "payment.paid_again": "reported another payment for the package",
  "billing_details.change": "changed the billing details for",
  "audit.export": "exported the audit log",
  "log.export": "exported the request log of",
  "member.create": "created an account for",
  "member.password_link": "created a password reset link for",
  "account.create": "created the account",
  "account.rename": "renamed the account",
  "account.delete": "deleted the account of",
  "account.export": "exported everything stored about",
  "account.disable": "disabled the account of",
  "account.enable": "enabled the account of",
  "account.sign_out": "ended all sessions and revoked all access tokens of",
  "operator.revoke": "revoked the operator rights of",
  "second_factor.drop": "removed the two-factor authentication and passkeys of",
  "account.verify": "verified the email address of",
  "account.take_over": "verified their email address and removed all other access to the account",
  "password.change": "changed the password of",
  "password.reset": "used a link to reset the password of",
  "second_factor.enable": "turned on two-factor authentication for",
  "second_factor.disable": "turned off two-factor authentication for",
  "recovery_codes.create": "generated new recovery codes for",
  "session.create": "signed in as",
  "session.confirm": "re-entered the password for",
  "session.end": "ended a session of",
  "session.end_others": "ended all other sessions of",
  "passkey.create": "added a passkey to",
  "passkey.delete": "removed a passkey from",
  "openid.link": "signed in with single sign-on for the first time as",
};

/** Actions on one of several items of an account, such as a passkey: the sentence names the item and then the account. */
const namedItemVerbs: Readonly<Record<string, readonly [verb: string, preposition: string, ending?: string]>> = {
  "passkey.create": ["added the passkey", "to"],
  "passkey.delete": ["removed the passkey", "from"],
  "token.create": ["created the access token", "for"],
  "token.delete": ["revoked the access token", "of"],
  "token.use": ["used the access token", "of", "from a new network"],
};

export interface Sentence {
  readonly verb: string;
  /** What the action changed. */
  readonly target: string | null;
  readonly preposition: string;
  /** What follows the preposition. */
  readonly context: string | null;
  readonly ending?: string | undefined;
}

/** The sentence for an entry. An unknown action is shown by its name. */
export function sentenceOf({
  action,
  actor_kind,
  actor_id,
  target_kind,
  target_id,
  target_name,
  before,
  after,
}: AuditEntry): Sentence {
  const plain = { target: target_name, preposition: "", context: null };
  const namedVerb = target_kind === "account" ? namedItemVerbs[action] : undefined;
  const itemName = (after ?? before)?.name;
  if (namedVerb && typeof itemName === "string")
    return {
      verb: namedVerb[0],
      target: itemName,
      preposition: namedVerb[1],
      context: target_name,
      ending: namedVerb[2],
    };
  const team = (after ?? before)?.team;
  const ofTeam = { target: target_name, context: typeof team === "string" ? team : null };
  const isSelf = actor_kind === "person" && actor_id === target_id;
  switch (action) {
    case "member.join":
      return isSelf
        ? { ...plain, verb: "joined", target: null }
        : { ...plain, verb: "added", preposition: "as a member" };
    case "member.delete":
      return isSelf ? { ...plain, verb: "left the workspace", target: null } : { ...plain, verb: "removed the member" };
    case "sign_in.refuse":
      return { ...plain, verb: refusalVerb(after, target_name !== null) };
    case "sign_in.password":
      return { ...plain, verb: passwordVerb(after), preposition: "and was asked for a code" };
    case "token.use":
      return { ...plain, verb: "used the access token", ending: "from a new network" };
    case "team_member.create":
      return { ...ofTeam, verb: "added", preposition: "to the team" };
    case "team_member.change":
      return { ...ofTeam, verb: "changed the role of", preposition: "in the team" };
    case "team_member.delete":
      return { ...ofTeam, verb: "removed", preposition: "from the team" };
    default:
      return { ...plain, verb: verbs[action] ?? `performed ${action} on the ${target_kind.replaceAll("_", " ")}` };
  }
}

type Details = AuditEntry["after"];

/** How many further attempts an entry counts; undefined for the first. */
const furtherAttempts = (details: Details): number | undefined =>
  typeof details?.attempts === "number" ? details.attempts : undefined;

function refusalVerb(details: Details, isKnown: boolean): string {
  const attempts = furtherAttempts(details);
  const isSignedIn = details?.reason === "confirmation";
  const subject = isKnown ? "as" : "with an unknown email address";
  if (attempts === undefined)
    return isSignedIn ? "entered an incorrect password while signed in as" : `failed to sign in ${subject}`;
  return isSignedIn
    ? `entered ${plural(attempts, "more incorrect password")} while signed in as`
    : `failed to sign in ${plural(attempts, "more time")} ${subject}`;
}

function passwordVerb(details: Details): string {
  const attempts = furtherAttempts(details);
  return attempts === undefined
    ? "entered the correct password for"
    : `entered the correct password ${plural(attempts, "more time")} for`;
}

const plural = (count: number, noun: string): string => `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;

export const actionKinds = [
  { value: "key.", label: "API keys" },
  { value: "member.", label: "Members" },
  { value: "invitation.", label: "Invitations" },
  { value: "team.", label: "Teams" },
  { value: "team_member.", label: "Team members" },
  { value: "workspace.", label: "Workspace" },
  { value: "subscription.", label: "Subscription" },
  { value: "policy.", label: "Sign-in policy" },
  { value: "alerts.", label: "Alerts" },
  { value: "storage.", label: "Storage limit" },
  { value: "credit_limit.", label: "Credit limit" },
  { value: "token.", label: "Access tokens" },
  { value: "log.", label: "Request log exports" },
  { value: "audit.", label: "Audit log exports" },
  { value: "purchase.", label: "Purchases" },
  { value: "payment.", label: "Payments" },
  { value: "package.", label: "Packages credited from the command line" },
  { value: "billing_details.", label: "Billing details" },
] as const;

/** The kinds of actions in the log of accounts. */
export const accountActionKinds = [
  { value: "account.", label: "Accounts" },
  { value: "member.", label: "Accounts managed from the command line" },
  { value: "password.", label: "Passwords" },
  { value: "second_factor.", label: "Two-factor authentication" },
  { value: "recovery_codes.", label: "Recovery codes" },
  { value: "passkey.", label: "Passkeys" },
  { value: "token.", label: "Access tokens" },
  { value: "session.", label: "Sessions and sign-ins" },
  { value: "sign_in.", label: "Refused sign-ins" },
  { value: "openid.", label: "Single sign-on" },
] as const;

const actorPhrases: Readonly<Record<AuditEntry["actor_kind"], string>> = {
  person: "",
  token: "with an access token",
  command: "from the command line",
  payment: "payment provider",
  service: "automatically",
  unknown: "",
};

/** How the actor acted; empty for the console. */
export const actorPhrase = ({ actor_kind, actor_name }: Pick<AuditEntry, "actor_kind" | "actor_name">): string =>
  // Where the system did not name the user, the name says it already.
  actor_name.endsWith("on the command line") ? "" : actorPhrases[actor_kind];

const fieldLabels: Readonly<Record<string, string>> = {
  monthly_requests: "Monthly allowance",
  sign_in: "Sign-in method",
  storage_mib: "Storage limit (MiB)",
  secret_start: "Secret starts with",
  previous_secret_until: "Old secret works until",
  scopes: "Access",
  amount_cents: "Amount",
  overlap: "Overlap of old and new secret",
  scope: "Permissions",
  monthly_budget: "Monthly budget",
  requests_per_minute: "Requests per minute",
  replaces: "Replaces an earlier invitation",
  provider: "Payment provider",
  credited: "Units credited",
  user_agent: "Browser or program",
  is_new_device: "New browser or network",
  second_factor: "Second factor",
  has_second_factor: "Second factor",
  second_factor_dropped: "Second factor removed",
  is_operator: "Operator",
  quota: "Units alert",
  key_expiration: "Key expiration alert",
  refused_requests: "Refused requests alert",
  refused_requests_max: "Alert threshold",
  email_to: "Email recipients",
  webhook_secret: "Webhook secret starts with",
  ended: "Sessions ended",
  "token.delete_all ended": "Access tokens revoked",
  tokens_ended: "Access tokens revoked",
  invitations_revoked: "Invitations revoked",
  // The filters of an export, which are named as in its request.
  actorId: "Actor",
  keyId: "API key",
  requestId: "Request ID",
  workspaceId: "Workspace ID",
};

/** `expires_at` → `Expires at`, `team_id` → `Team ID` */
export const fieldLabel = (name: string, action: string): string =>
  fieldLabels[`${action} ${name}`] ??
  fieldLabels[name] ??
  (name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ")).replace(/\bid$/i, "ID");
