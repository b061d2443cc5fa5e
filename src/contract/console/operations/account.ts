// The account of the person who is signed in: sessions, access tokens, security log.

import { z } from "zod";
import { count, id, message, object, text, timestamp, uuid } from "../../fields.ts";
import { objectBody } from "../../operation.ts";
import { workspaceRoles } from "../actions.ts";
import { choice, displayName, idQuery, mailedName, moment, optionalTimestamp, paging } from "../fields.ts";
import { consoleLimits as most } from "../limits.ts";
import type { ConsoleOperation } from "../operation.ts";
import { scopeLevels, type TokenArea, tokenAreas } from "../scopes.ts";
import { signInLacks } from "../sign-in-policies.ts";
import { auditEntry } from "./audit.ts";
import { defaultsOf } from "./defaults.ts";

const person = z
  .strictObject({
    id: id(),
    name: z.string(),
    email: z.string(),
    is_operator: z.boolean(),
    has_password: z.boolean(),
    has_second_factor: z.boolean(),
    needs_verification: z.boolean().meta({
      description:
        "True if this service sends email and the address is not verified. A second factor cannot be added until the address is verified.",
    }),
    tokens_pause_at: optionalTimestamp().meta({
      description:
        "When the access tokens of a person who can only use single sign-on stop working. Each sign-in moves this date later. Null for everyone else.",
    }),
  })
  .meta({ id: "Person" });

const membership = z
  .strictObject({
    workspace_id: id(),
    workspace_name: z.string(),
    subscription: z.enum(["active", "inactive"]),
    /** Null for an operator who is no member. */
    role: z.enum(workspaceRoles).nullable(),
    sign_in_lacks: z.enum(signInLacks).nullable().meta({
      description:
        "What this sign-in lacks to meet the workspace's sign-in policy, or null if it meets the policy. Until it does, requests for anything in the workspace are refused.",
    }),
    removal_at: optionalTimestamp().meta({
      description: "When a deleted workspace is removed. Until then, an owner can restore or export it.",
    }),
    /** What this person may do there; the console shows nothing else. */
    actions: z.array(z.string()),
  })
  .meta({ id: "Membership" });

const session = z
  .strictObject({
    person,
    memberships: z.array(membership),
    is_billing_on: z.boolean().meta({ description: "True if this service bills workspaces." }),
    confirmed_until: optionalTimestamp().meta({
      description: "Until then, the password does not have to be confirmed again.",
    }),
    ends_at: timestamp(),
    api: z
      .strictObject({
        url: z.string(),
        curl: z
          .string()
          .meta({ description: "How a curl command starts: with `--cacert` if curl must be given the certificate." }),
      })
      .meta({ description: "How to send requests to this service." }),
  })
  .meta({ id: "Session" });

const signedInAt = z
  .strictObject({
    id: id(),
    is_this: z.boolean(),
    client_address: z.string().nullable(),
    user_agent: z.string().nullable(),
    created_at: timestamp(),
    ends_at: timestamp(),
  })
  .meta({ id: "SignedIn" });

export const token = z
  .strictObject({
    id: id(),
    workspace_id: id(),
    workspace_name: z.string(),
    name: z.string(),
    secret_start: z.string(),
    scopes: z
      .record(z.string(), z.enum(scopeLevels))
      .meta({ description: "The access level for each area of the console." }),
    created_at: timestamp(),
    last_used_at: optionalTimestamp(),
    expires_at: timestamp(),
  })
  .meta({ id: "AccessToken" });

const tokenWithSecret = token.extend({ secret: z.string() }).meta({ id: "AccessTokenWithSecret" });

const { read, change } = defaultsOf("Account");
const scopes = object(
  // The keys are exactly the areas.
  Object.fromEntries(tokenAreas.map((area) => [area, choice(scopeLevels).optional()])) as Record<
    TokenArea,
    z.ZodOptional<ReturnType<typeof choice<typeof scopeLevels>>>
  >,
).refine((value) => Object.keys(value).length > 0, { error: `must contain at least one of ${tokenAreas.join(", ")}` });

export const accountOperations = {
  getSession: {
    ...read,
    path: "/session",
    summary: "Get the current session, with workspaces and permissions",
    access: "signedIn",
    data: session,
  },
  postSessionConfirmation: {
    ...change,
    method: "POST",
    path: "/session/confirmation",
    summary: "Confirm your password before a sensitive action",
    access: "signedIn",
    confirmation: "never",
    isForTokens: false,
    isOwnTransaction: true,
    body: objectBody(object({ password: text(1, most.passwordLengthMax) })),
    data: message,
  },
  putPerson: {
    ...change,
    method: "PUT",
    path: "/person",
    summary: "Change your name",
    access: "signedIn",
    confirmation: "never",
    isForTokens: false,
    body: objectBody(object({ name: mailedName(most.personNameLengthMax) })),
    data: person,
  },
  postEmailVerification: {
    ...change,
    method: "POST",
    path: "/email/verification",
    summary: "Request an email with a link that verifies your address",
    access: "signedIn",
    confirmation: "never",
    isForTokens: false,
    isAudited: false,
    data: message,
  },
  putEmailVerification: {
    ...change,
    method: "PUT",
    path: "/email/verification",
    summary: "Verify your email address with the token from an emailed link",
    description: "The link works once, and only for the account that requested it.",
    access: "signedIn",
    confirmation: "never",
    isForTokens: false,
    body: objectBody(object({ token: text(1, 200) })),
    data: person,
  },
  deletePerson: {
    ...change,
    method: "DELETE",
    path: "/person",
    summary: "Delete your account",
    description:
      "Your sessions and memberships end, and the pending invitations that you sent are revoked. Your access tokens, two-factor authentication, passkeys, name, and email address are removed. What you wrote stays under a pseudonym, and the IP addresses from which you used the console stay in the audit logs for 90 days. Owners of the workspaces that you could manage get an email. This cannot be undone.",
    access: "signedIn",
    confirmation: "always",
    isForTokens: false,
    body: objectBody(object({ email: text(1, 320) })),
    data: z.strictObject({ message: z.string(), invitations_revoked: count() }),
  },
  getPersonExport: {
    ...read,
    path: "/person/export",
    summary: "Export everything stored about you, except secrets, as JSON",
    access: "signedIn",
    confirmation: "always",
    isForTokens: false,
    isAudited: true,
    isOwnTransaction: true,
    mediaType: "application/json",
    data: z.string(),
  },
  getSessions: {
    ...read,
    path: "/sessions",
    summary: "List your sessions",
    access: "signedIn",
    isForTokens: false,
    data: z.array(signedInAt),
  },
  deleteSession: {
    ...change,
    method: "DELETE",
    path: "/session",
    summary: "Revoke one of your sessions",
    access: "signedIn",
    confirmation: "always",
    isForTokens: false,
    query: { id: idQuery("id", "The ID of the session.") },
    data: message,
  },
  deleteSessions: {
    ...change,
    method: "DELETE",
    path: "/sessions",
    summary: "Revoke all your other sessions",
    access: "signedIn",
    confirmation: "always",
    isForTokens: false,
    data: message,
  },
  getTokens: {
    ...read,
    path: "/tokens",
    summary: "List your access tokens",
    access: "signedIn",
    isForTokens: false,
    data: z.array(token),
  },
  postToken: {
    ...change,
    method: "POST",
    path: "/token",
    summary: "Create an access token",
    description:
      "The token has only the permissions listed in its `scopes`, in one workspace, and never more than you have. To change owners, it needs `owners` as well as `members` or `invitations`. The secret is returned once.",
    access: "signedIn",
    confirmation: "always",
    isForTokens: false,
    body: objectBody(
      object({
        workspaceId: uuid(),
        name: displayName(most.tokenNameLengthMax),
        scopes,
        expiresAt: moment(),
      }),
    ),
    data: tokenWithSecret,
  },
  deleteToken: {
    ...change,
    method: "DELETE",
    path: "/token",
    summary: "Revoke an access token",
    access: "signedIn",
    confirmation: "never",
    isForTokens: false,
    query: { id: idQuery("id", "The ID of the token.") },
    data: message,
  },
  getSecurityLog: {
    ...read,
    path: "/security-log",
    summary: "List the events of your account, newest first",
    access: "signedIn",
    isForTokens: false,
    query: { ...paging },
    isPaged: true,
    data: z.array(auditEntry),
  },
} as const satisfies Record<string, ConsoleOperation>;
