// One's own account: sessions, access tokens, security log.
import { z } from "zod";
import { boolean, message, object, text, uuid } from "../../fields.ts";
import { objectBody } from "../../operation.ts";
import { displayName, idQuery, paging } from "../fields.ts";
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
  getSession: {
    ...read,
    path: "/session",
    summary: "Who is signed in, and what they may do where",
    access: "signedIn",
    data: record.session,
  },
  postSessionConfirmation: {
    ...change,
    method: "POST",
    path: "/session/confirmation",
    summary: "Give the password again, before a sensitive action",
    access: "signedIn",
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
    access: "signedIn",
    isForTokens: false,
    body: objectBody(object({ name: displayName(most.personNameLengthMax) })),
    data: record.person,
  },
  getSessions: {
    ...read,
    path: "/sessions",
    summary: "Where one is signed in",
    access: "signedIn",
    isForTokens: false,
    data: z.array(record.signedInAt),
  },
  deleteSession: {
    ...change,
    method: "DELETE",
    path: "/session",
    summary: "End one of one's sessions at once",
    access: "signedIn",
    isForTokens: false,
    query: { id: idQuery("id", "The session.") },
    data: message,
  },
  deleteSessions: {
    ...change,
    method: "DELETE",
    path: "/sessions",
    summary: "End all one's other sessions at once",
    access: "signedIn",
    isForTokens: false,
    data: message,
  },
  getTokens: {
    ...read,
    path: "/tokens",
    summary: "List one's personal access tokens",
    access: "signedIn",
    isForTokens: false,
    data: z.array(record.token),
  },
  postToken: {
    ...change,
    method: "POST",
    path: "/token",
    summary: "Make a personal access token",
    description: "It does in one workspace what its owner may do there, and only reads unless it may write.",
    access: "signedIn",
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
    access: "signedIn",
    isForTokens: false,
    query: { id: idQuery("id", "The token.") },
    data: message,
  },
  getSecurityLog: {
    ...read,
    path: "/security-log",
    summary: "What was done to one's own account, newest first",
    access: "signedIn",
    isForTokens: false,
    query: { ...paging },
    isPaged: true,
    data: z.array(record.auditEntry),
  },
} as const satisfies Record<string, ConsoleOperation>;
