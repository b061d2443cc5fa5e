// The records that the console's answers are made of.
import { z } from "zod";
import { count, id, timestamp } from "../fields.ts";
import { teamRoles, workspaceRoles } from "./actions.ts";

const at = () => timestamp().nullable();
const cents = () => z.int().meta({ description: "US cents." });

export const person = z
  .strictObject({
    id: id(),
    name: z.string(),
    email: z.string(),
    is_operator: z.boolean(),
    has_password: z.boolean(),
    has_second_factor: z.boolean(),
  })
  .meta({ id: "Person" });

export const membership = z
  .strictObject({
    workspace_id: id(),
    workspace_name: z.string(),
    subscription: z.enum(["active", "inactive"]),
    /** Null for an operator who is no member. */
    role: z.enum(workspaceRoles).nullable(),
    /** What this person may do there; the console shows nothing else. */
    actions: z.array(z.string()),
  })
  .meta({ id: "Membership" });

export const session = z
  .strictObject({
    person,
    memberships: z.array(membership),
    confirmed_until: at().meta({ description: "Until then no password is asked for again." }),
    ends_at: timestamp(),
  })
  .meta({ id: "Session" });

export const signInOptions = z.strictObject({
  /** False where no mail can be sent. */
  password_reset: z.boolean(),
  passkeys: z.boolean(),
  /** The name of the OpenID provider; null where none is set. */
  open_id: z.string().nullable(),
});

export const signedInAt = z
  .strictObject({
    id: id(),
    is_this: z.boolean(),
    client_address: z.string().nullable(),
    user_agent: z.string().nullable(),
    created_at: timestamp(),
    ends_at: timestamp(),
  })
  .meta({ id: "SignedIn" });

export const invitationPreview = z.strictObject({
  kind: z.enum(["first administrator", "member"]),
  workspace_name: z.string().nullable(),
  email: z.string().nullable(),
  role: z.enum(workspaceRoles),
  invited_by: z.string().nullable(),
  /** Somebody with this address has an account already: they sign in and accept. */
  has_account: z.boolean(),
  expires_at: timestamp(),
});

export const workspace = z
  .strictObject({
    id: id(),
    name: z.string(),
    subscription: z.enum(["active", "inactive"]),
    monthly_requests: count(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: "Workspace" });

export const key = z
  .strictObject({
    id: id(),
    workspace_id: id(),
    name: z.string(),
    secret_start: z.string().meta({ description: "The prefix and the first 4 characters, to tell keys apart." }),
    status: z.enum(["active", "inactive"]),
    is_all_teams: z.boolean(),
    team_permissions: z.array(id()),
    created_at: timestamp(),
    created_by: z.string().nullable(),
    last_used_at: at(),
    deactivated_at: at(),
    calls_30_days: count(),
    /** Until then the secret from before the last rotation opens too. */
    previous_secret_until: at(),
    /** Whether the asking person may change it. */
    is_managed: z.boolean(),
  })
  .meta({ id: "Key" });

export const keyWithSecret = key
  .extend({ secret: z.string(), curl: z.string().meta({ description: "A first call, to paste into a terminal." }) })
  .meta({ id: "KeyWithSecret" });

export const usageParts = ["operation", "key", "team"] as const;

export const usage = z
  .strictObject({
    from: z.string(),
    to: z.string(),
    by: z.enum(usageParts),
    calls: count(),
    units: count(),
    parts: z.array(
      z.strictObject({
        /**
         * Operation name, key id or team id; empty where a call was about no team or several. Beyond 50 parts, those with the least
         * units are one: `others`. Private teams that are not one's to see are one, too: `private`.
         */
        id: z.string(),
        name: z.string(),
        calls: count(),
        units: count(),
      }),
    ),
    days: z.array(
      z.strictObject({
        day: z.string(),
        calls: count(),
        units: count(),
        /** Units, in the order of `parts`. */
        units_by_part: z.array(count()),
      }),
    ),
  })
  .meta({ id: "Usage" });

export const grant = z.strictObject({
  kind: z.enum(["monthly", "100K", "500K", "1M"]),
  units: count(),
  remaining: count(),
  reference: z.string().nullable(),
  created_at: timestamp(),
});

export const quota = z
  .strictObject({
    month: z.string(),
    granted: count(),
    used: count(),
    remaining: count(),
    grants: z.array(grant),
    resets_at: timestamp(),
    log_kept_from: timestamp().meta({ description: "Older calls are no longer in the request log, only in usage." }),
    forecast: z.strictObject({
      /** Of the last 7 days, or since the workspace was made; null without usage. */
      units_per_day: z.number().nullable(),
      /** When the quota ends at that pace, now where it is used up; null when it lasts until the month's end. */
      ends_at: at(),
      /** Units that will be used by the month's end at that pace, whether the quota reaches or not. */
      units_by_month_end: count(),
    }),
  })
  .meta({ id: "Quota" });

export const logEntry = z
  .strictObject({
    id: id().meta({ description: "The request id." }),
    at: timestamp(),
    key_id: id(),
    key_name: z.string(),
    operation: z.string(),
    method: z.string(),
    path: z.string(),
    team_id: id().nullable(),
    team_name: z.string().nullable(),
    status: z.int(),
    units: count(),
    balance_after: count(),
    explanation: z.string().meta({ description: "What the call cost, and why." }),
  })
  .meta({ id: "LogEntry" });

/** A side of an invoice: who bills, or who is billed. */
export const party = z
  .strictObject({
    name: z.string(),
    address: z.array(z.string()).meta({ description: "Line by line." }),
    tax_id: z.string().nullable(),
  })
  .meta({ id: "Party" });

export const billing = z
  .strictObject({
    provider: z.enum(["manual", "stripe"]),
    unit_price: z.string().meta({ description: "In words: 10 USD per 100,000 units." }),
    monthly_requests: count(),
    packages: z.array(z.strictObject({ name: z.enum(["100K", "500K", "1M"]), units: count(), price_cents: cents() })),
    this_month: z.strictObject({
      month: z.string(),
      granted: count(),
      used: count(),
      remaining: count(),
      used_of_allowance: count(),
      unit_price_microdollars: z.int(),
      /** Exactly; rounded to cents once, on the invoice. */
      amount_microdollars: z.int(),
      amount_cents: cents(),
      grants: z.array(grant),
      ends_at: timestamp().meta({ description: "The end of the month, when what is left of every grant ends too." }),
    }),
    open_cents: cents().meta({ description: "What is billed and not paid." }),
    billed_to: party.meta({ description: "Whom the next invoice is made out to." }),
  })
  .meta({ id: "Billing" });

export const invoiceLine = z.strictObject({
  description: z.string(),
  units: count(),
  unit_price_microdollars: z.int(),
  amount_microdollars: z.int(),
  is_paid: z.boolean(),
  paid_at: at(),
  reference: z.string().nullable(),
});

export const invoice = z
  .strictObject({
    workspace_id: id(),
    workspace_name: z.string(),
    number: z.string(),
    month: z.string(),
    issued_at: timestamp(),
    lines: z.array(invoiceLine),
    total_cents: cents(),
    paid_cents: cents(),
    due_cents: cents(),
    paid_at: at(),
  })
  .meta({ id: "Invoice" });

/** With both sides, as they were called when somebody first opened it. */
export const openedInvoice = invoice.extend({ seller: party, billed_to: party }).meta({ id: "OpenedInvoice" });

export const payment = z
  .strictObject({
    id: id(),
    provider: z.enum(["manual", "stripe"]),
    purpose: z.enum(["package", "invoice"]),
    /** The package, or the invoice's month. */
    subject: z.string(),
    units: count().nullable(),
    amount_cents: cents(),
    status: z.enum(["open", "paid", "failed"]),
    reference: z.string().nullable(),
    requested_by: z.string().nullable(),
    created_at: timestamp(),
    settled_at: at(),
  })
  .meta({ id: "Payment" });

export const purchase = z.strictObject({
  payment,
  /** Where to pay; null where nothing more is to be done. */
  checkout_url: z.string().nullable(),
  credited: z.boolean(),
});

export const member = z
  .strictObject({
    person_id: id(),
    name: z.string(),
    email: z.string(),
    role: z.enum(workspaceRoles),
    has_second_factor: z.boolean(),
    teams: z.array(z.strictObject({ team_id: id(), role: z.enum(teamRoles) })),
    joined_at: timestamp(),
    last_seen_at: at(),
  })
  .meta({ id: "Member" });

export const invitation = z
  .strictObject({
    id: id(),
    email: z.string(),
    role: z.enum(workspaceRoles),
    teams: z.array(z.strictObject({ team_id: id(), role: z.enum(teamRoles) })),
    invited_by: z.string().nullable(),
    created_at: timestamp(),
    expires_at: timestamp(),
    is_mailed: z.boolean(),
  })
  .meta({ id: "Invitation" });

/** The link is told once, to whoever invites: where mail is set, it was sent as well. */
export const invitationWithLink = invitation.extend({ link: z.string() }).meta({ id: "InvitationWithLink" });

export const team = z
  .strictObject({
    id: id(),
    workspace_id: id(),
    name: z.string(),
    visibility: z.enum(["private", "internal"]),
    created_at: timestamp(),
    /** The asking person's own role in it. */
    own_role: z.enum(teamRoles).nullable(),
    /** Whether the asking person may change it and its members. */
    is_managed: z.boolean(),
    members: z.array(z.strictObject({ person_id: id(), name: z.string(), email: z.string(), role: z.enum(teamRoles) })),
    keys: count().meta({ description: "Keys that are limited to teams and reach this one." }),
    /** Null in a workspace of more than 10,000: counting them would keep calls waiting. */
    snippets: count().nullable(),
  })
  .meta({ id: "Team" });

export const actorKinds = ["person", "token", "command", "payment", "service"] as const;

export const auditEntry = z
  .strictObject({
    id: id(),
    at: timestamp(),
    actor_kind: z.enum(actorKinds),
    actor_id: z.string().nullable(),
    actor_name: z.string(),
    client_address: z.string().nullable(),
    action: z.string(),
    target_kind: z.string(),
    target_id: z.string().nullable(),
    target_name: z.string().nullable(),
    before: z.record(z.string(), z.unknown()).nullable(),
    after: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: "AuditEntry" });

export const token = z
  .strictObject({
    id: id(),
    workspace_id: id(),
    workspace_name: z.string(),
    name: z.string(),
    secret_start: z.string(),
    may_write: z.boolean(),
    created_at: timestamp(),
    last_used_at: at(),
    expires_at: timestamp(),
  })
  .meta({ id: "AccessToken" });

export const tokenWithSecret = token.extend({ secret: z.string() }).meta({ id: "AccessTokenWithSecret" });
