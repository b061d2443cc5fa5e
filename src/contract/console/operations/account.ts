// One's own account: signing in, sessions, access tokens; and what is open to everybody.
import { z } from "zod";
import { boolean, message, object, text, uuid } from "../../fields.ts";
import { objectBody } from "../../operation.ts";
import { displayName, email, idQuery, paging, password } from "../fields.ts";
import { consoleLimits as most } from "../limits.ts";
import type { ConsoleOperation } from "../operation.ts";
import * as record from "../records.ts";
import { defaultsOf } from "./defaults.ts";

const { read, change } = defaultsOf("Account");
const expiry = () =>
  z.string({ error: (issue) => (issue.input === undefined ? "is required" : "must be a string") }).datetime({
    error: "must be an ISO 8601 timestamp in UTC, such as 2026-01-31T09:30:00Z",
  });

export const accountOperations = {
  getSignIn: {
    ...read,
    path: "/sign-in",
    summary: "What sign-in offers",
    needs: "nobody",
    isForTokens: false,
    isOwnTransaction: true,
    data: record.signInOptions,
  },
  postPasswordReset: {
    ...change,
    method: "POST",
    path: "/password-reset",
    summary: "Ask for a link to a new password",
    description: "The same answer at once, whether the address is known or not.",
    needs: "nobody",
    isForTokens: false,
    isAudited: false,
    isOwnTransaction: true,
    body: objectBody(object({ email: email() })),
    data: message,
  },
  postInvitationPreview: {
    ...change,
    method: "POST",
    path: "/invitation/preview",
    summary: "Read an invitation by its link",
    needs: "nobody",
    isForTokens: false,
    isAudited: false,
    isOwnTransaction: true,
    body: objectBody(object({ token: text(1, 200) })),
    data: record.invitationPreview,
  },
  postInvitationAcceptance: {
    ...change,
    method: "POST",
    path: "/invitation/acceptance",
    summary: "Accept an invitation with a new account, and be signed in",
    description: "Who has an account already signs in first and gives neither name nor password.",
    needs: "nobody",
    isForTokens: false,
    isOwnTransaction: true,
    body: objectBody(
      object({
        token: text(1, 200),
        /** Only for the first administrator; else the invitation names it. */
        email: email().optional(),
        name: displayName(most.personNameLengthMax).optional(),
        password: password().optional(),
      }),
    ),
    data: message,
  },
  getSession: {
    ...read,
    path: "/session",
    summary: "Who is signed in, and what they may do where",
    needs: "person",
    data: record.session,
  },
  postSessionConfirmation: {
    ...change,
    method: "POST",
    path: "/session/confirmation",
    summary: "Give the password again, before a sensitive action",
    needs: "person",
    isForTokens: false,
    isAudited: false,
    isOwnTransaction: true,
    body: objectBody(object({ password: text(1, most.passwordLengthMax) })),
    data: message,
  },
  putPerson: {
    ...change,
    method: "PUT",
    path: "/person",
    summary: "Change one's own name",
    needs: "person",
    isForTokens: false,
    body: objectBody(object({ name: displayName(most.personNameLengthMax) })),
    data: record.person,
  },
  getSessions: {
    ...read,
    path: "/sessions",
    summary: "Where one is signed in",
    needs: "person",
    isForTokens: false,
    data: z.array(record.signedInAt),
  },
  deleteSession: {
    ...change,
    method: "DELETE",
    path: "/session",
    summary: "End one of one's sessions at once",
    needs: "person",
    isForTokens: false,
    query: { id: idQuery("id", "The session.") },
    data: message,
  },
  deleteSessions: {
    ...change,
    method: "DELETE",
    path: "/sessions",
    summary: "End all one's other sessions at once",
    needs: "person",
    isForTokens: false,
    data: message,
  },
  getTokens: {
    ...read,
    path: "/tokens",
    summary: "List one's personal access tokens",
    needs: "person",
    isForTokens: false,
    data: z.array(record.token),
  },
  postToken: {
    ...change,
    method: "POST",
    path: "/token",
    summary: "Make a personal access token",
    description: "It does in one workspace what its owner may do there, and only reads unless it may write.",
    needs: "person",
    isForTokens: false,
    isConfirmed: true,
    body: objectBody(
      object({
        workspaceId: uuid(),
        name: displayName(most.tokenNameLengthMax),
        mayWrite: boolean(),
        expiresAt: expiry(),
      }),
    ),
    data: record.tokenWithSecret,
  },
  deleteToken: {
    ...change,
    method: "DELETE",
    path: "/token",
    summary: "End a personal access token",
    needs: "person",
    isForTokens: false,
    query: { id: idQuery("id", "The token.") },
    data: message,
  },
  getSecurityLog: {
    ...read,
    path: "/security-log",
    summary: "What was done to one's own account, newest first",
    needs: "person",
    isForTokens: false,
    query: { ...paging },
    isPaged: true,
    data: z.array(record.auditEntry),
  },
} as const satisfies Record<string, ConsoleOperation>;
