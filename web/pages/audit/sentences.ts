// Turns audit entries into sentences. An entry names its action as noun and verb.
import type { RowOf } from "../../api.ts";

export type AuditEntry = RowOf<"getAuditLog">;

const verbs: Readonly<Record<string, string>> = {
  "key.create": "made the key",
  "key.change": "changed the key",
  "key.rotate": "rotated the secret of the key",
  "key.deactivate": "deactivated the key",
  "key.activate": "activated the key",
  "key.delete": "deleted the key",
  "member.change": "changed the role of",
  "member.delete": "removed the member",
  "invitation.create": "invited",
  "invitation.delete": "withdrew the invitation of",
  "team.create": "made the team",
  "team.change": "changed the team",
  "workspace.create": "made the workspace",
  "workspace.change": "changed the workspace",
  "subscription.change": "changed the subscription of",
  "token.create": "made the access token",
  "token.delete": "ended the access token",
  "package.grant": "credited the package",
  "purchase.create": "bought the package",
  "payment.record": "recorded the payment of",
  "billing_details.change": "had invoices made out to",
  "member.create": "made the account of",
  "member.password_link": "made a link to a new password for",
  "account.create": "made the account",
  "account.rename": "changed the name of the account",
  "account.take_over": "showed that the address is theirs, which ended all else that opened the account",
  "password.change": "changed the password of",
  "password.reset": "set a new password by a link for",
  "second_factor.enable": "switched the second step on for",
  "second_factor.disable": "switched the second step off for",
  "recovery_codes.create": "made new recovery codes for",
  "session.end": "ended a session of",
  "session.end_others": "ended all other sessions of",
  "passkey.create": "added a passkey to",
  "passkey.delete": "removed a passkey from",
  "openid.link": "signed in with the provider for the first time as",
};

/** Actions on one of several items of an account, such as a passkey: the sentence names the item and then the account. */
const namedItemVerbs: Readonly<Record<string, readonly [verb: string, preposition: string]>> = {
  "passkey.create": ["added the passkey", "to"],
  "passkey.delete": ["removed the passkey", "from"],
  "token.create": ["made the access token", "for"],
  "token.delete": ["ended the access token", "of"],
};

export interface Sentence {
  readonly verb: string;
  /** What the action changed. */
  readonly target: string | null;
  readonly preposition: string;
  /** What follows the preposition. */
  readonly context: string | null;
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
    return { verb: namedVerb[0], target: itemName, preposition: namedVerb[1], context: target_name };
  const team = (after ?? before)?.team;
  const ofTeam = { target: target_name, context: typeof team === "string" ? team : null };
  switch (action) {
    case "member.join": {
      const isSelf = actor_kind === "person" && actor_id === target_id;
      return isSelf ? { ...plain, verb: "joined", target: null } : { ...plain, verb: "made", preposition: "a member" };
    }
    case "team_member.create":
      return { ...ofTeam, verb: "took", preposition: "into the team" };
    case "team_member.change":
      return { ...ofTeam, verb: "changed the role of", preposition: "in the team" };
    case "team_member.delete":
      return { ...ofTeam, verb: "took", preposition: "out of the team" };
    default:
      return { ...plain, verb: verbs[action] ?? `did ${action} on the ${target_kind.replaceAll("_", " ")}` };
  }
}

export const actionKinds = [
  { value: "key.", label: "API keys" },
  { value: "member.", label: "Members" },
  { value: "invitation.", label: "Invitations" },
  { value: "team.", label: "Teams" },
  { value: "team_member.", label: "People in teams" },
  { value: "workspace.", label: "Workspace" },
  { value: "subscription.", label: "Subscription" },
  { value: "token.", label: "Access tokens" },
  { value: "purchase.", label: "Purchases" },
  { value: "payment.", label: "Payments" },
  { value: "package.", label: "Packages credited by command" },
  { value: "billing_details.", label: "Billing details" },
] as const;

/** The kinds of actions in the log of accounts. */
export const accountActionKinds = [
  { value: "account.", label: "Accounts made, renamed, taken over" },
  { value: "member.", label: "Accounts and links made by command" },
  { value: "password.", label: "Passwords" },
  { value: "second_factor.", label: "Second step" },
  { value: "recovery_codes.", label: "Recovery codes" },
  { value: "passkey.", label: "Passkeys" },
  { value: "token.", label: "Access tokens" },
  { value: "session.", label: "Sessions ended" },
  { value: "openid.", label: "Single sign-on" },
] as const;

const actorPhrases: Readonly<Record<AuditEntry["actor_kind"], string>> = {
  person: "",
  token: "by an access token",
  command: "on the command line",
  payment: "reported by the payment provider",
  service: "by the service itself",
};

/** How the actor acted; empty for the console. */
export const actorPhrase = ({ actor_kind }: Pick<AuditEntry, "actor_kind">): string => actorPhrases[actor_kind];

const fieldLabels: Readonly<Record<string, string>> = {
  monthly_requests: "Monthly allowance",
  secret_start: "Secret begins with",
  previous_secret_until: "Old secret works until",
  may_write: "May write",
  amount_cents: "Amount in cents",
};

/** `expires_at` → `Expires at` */
export const fieldLabel = (name: string): string =>
  fieldLabels[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
