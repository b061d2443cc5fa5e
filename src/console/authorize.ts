// Who calls the console, and may they: cookie or access token → actor, and the table of actions → how far it reaches. Read in the call's
// own transaction: a session, a token, a role that has ended has ended for the very next call, on every node.
import { noWorkspace } from "../accounts/audit/audit.ts";
import {
  extendSession,
  findRole,
  findSession,
  findTeamRoles,
  findToken,
  touchToken,
} from "../accounts/people/sessions.store.ts";
import { hashOfToken, isToken } from "../accounts/people/token-secret.ts";
import { findWorkspace } from "../accounts/workspaces/workspaces.store.ts";
import { type Action, type Reach, reachOf } from "../contract/console/actions.ts";
import { consoleErrors } from "../contract/console/errors.ts";
import { consoleLimits } from "../contract/console/limits.ts";
import type { ConsoleOperation } from "../contract/console/operation.ts";
import type { Transaction } from "../platform/database/database.ts";
import { bearerToken } from "../platform/http/bearer-token.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { addDays, addMinutes } from "../platform/time.ts";
import type { Actor } from "./call.ts";
import { sealed } from "./sign-in/seal.ts";

/** What a call shows of who makes it. Nothing in it was looked up yet. */
export type Credential =
  | { readonly kind: "session"; readonly token: string }
  | { readonly kind: "token"; readonly secretHash: string }
  | { readonly kind: "none" };

/** @param sessionToken of the cookie, whose signature was right. @throws Refusal where a program shows what is no access token */
export function credentialOf(incoming: IncomingRequest, sessionToken: string | undefined): Credential {
  const bearer = bearerToken(incoming.authorization);
  if (bearer !== undefined) {
    if (!isToken(bearer)) throw consoleErrors.tokenInvalid();
    return { kind: "token", secretHash: hashOfToken(bearer) };
  }
  return sessionToken === undefined ? { kind: "none" } : { kind: "session", token: sessionToken };
}

/** Browsers send the cookie along whoever's page it was: what changes something must come from one of ours. */
export function requireOwnOrigin(incoming: IncomingRequest, origin: string, hasBody: boolean): void {
  if (incoming.method === "GET" || incoming.method === "HEAD") return;
  if (incoming.header("origin") !== origin) throw consoleErrors.otherOrigin();
  if (hasBody && !/^application\/json\b/i.test(incoming.header("content-type") ?? "")) throw consoleErrors.notJson();
}

export interface Passed {
  readonly actor: Actor;
  readonly workspaceId: string;
  readonly reach: Reach;
  /** What now and then has to be written for a session or a token in use; the call itself may only read. */
  readonly upkeep: ((transaction: Transaction) => void) | undefined;
}

/** @throws Refusal 401, 403; 404 where there is no such workspace for this actor */
export async function pass(
  transaction: Transaction,
  credential: Credential,
  operation: ConsoleOperation,
  workspaceId: string | undefined,
  clientAddress: string,
): Promise<Passed> {
  const { actor, token, upkeep } = await identify(transaction, credential, clientAddress);
  if (token) {
    if (!operation.isForTokens) throw consoleErrors.tokenNotAllowed();
    if (operation.method !== "GET" && !token.mayWrite) throw consoleErrors.tokenReadsOnly();
  }
  const isOwn = operation.needs === "nobody" || operation.needs === "person";
  const reach = isOwn ? "all" : await reachIn(transaction, actor, token?.workspaceId, operation.needs, workspaceId);
  if (operation.isConfirmed && !token && actor.confirmedUntil === null) throw consoleErrors.confirmationRequired();
  return { actor, workspaceId: (isOwn ? undefined : workspaceId) ?? noWorkspace, reach, upkeep };
}

interface Identified extends Pick<Passed, "actor" | "upkeep"> {
  readonly token: { readonly workspaceId: string; readonly mayWrite: boolean } | undefined;
}

/** A session in use goes on, and a token says when it was used last: written at most once an hour, and once a minute. */
const sessionWrittenEveryMinutes = 60;
const tokenWrittenEveryMinutes = 1;

async function identify(transaction: Transaction, credential: Credential, clientAddress: string): Promise<Identified> {
  const { now } = transaction;
  if (credential.kind === "session") {
    const row = await findSession(transaction, sealed(credential.token));
    if (!row) throw consoleErrors.signInRequired();
    const isExtended = row.updated_at <= addMinutes(now, -sessionWrittenEveryMinutes);
    const endsAt = isExtended ? addDays(now, consoleLimits.sessionDays) : row.expires_at;
    const confirmedUntil = row.confirmed_at && addMinutes(row.confirmed_at, consoleLimits.confirmationMinutes);
    return {
      actor: {
        ...personOf(row),
        kind: "person",
        isOperator: Boolean(row.is_operator),
        id: row.id,
        clientAddress,
        confirmedUntil: confirmedUntil !== null && confirmedUntil > now ? confirmedUntil : null,
        session: { id: row.id, endsAt },
      },
      token: undefined,
      upkeep: isExtended ? (writing) => extendSession(writing, row.id, endsAt) : undefined,
    };
  }
  if (credential.kind === "none") throw consoleErrors.signInRequired();
  const row = await findToken(transaction, credential.secretHash);
  if (!row) throw consoleErrors.tokenInvalid();
  const isTouched = row.last_used_at === null || row.last_used_at <= addMinutes(now, -tokenWrittenEveryMinutes);
  return {
    actor: {
      ...personOf(row),
      kind: "token",
      // A token does what its owner may do as a member; what the operator may do needs the operator.
      isOperator: false,
      id: row.id,
      clientAddress,
      confirmedUntil: null,
      session: undefined,
    },
    token: { workspaceId: row.workspace_id, mayWrite: Boolean(row.may_write) },
    upkeep: isTouched ? (writing) => touchToken(writing, row.id) : undefined,
  };
}

const personOf = (row: { person_id: string; name: string; email: string }) => ({
  personId: row.person_id,
  name: row.name,
  email: row.email,
});

async function reachIn(
  transaction: Transaction,
  actor: Actor,
  tokenWorkspaceId: string | undefined,
  action: Action,
  workspaceId: string | undefined,
): Promise<Reach> {
  if (workspaceId === undefined) {
    if (!actor.isOperator) throw consoleErrors.forbidden();
    return "all";
  }
  // Another workspace than the token's, one that the person is no member of, and none at all look the same.
  const isHidden = tokenWorkspaceId !== undefined && tokenWorkspaceId !== workspaceId;
  const role = isHidden ? undefined : await findRole(transaction, workspaceId, actor.personId);
  const exists =
    role !== undefined || (actor.isOperator && (await findWorkspace(transaction, workspaceId)) !== undefined);
  if (!exists) throw consoleErrors.notFound("workspace");
  const teams = await findTeamRoles(transaction, workspaceId, actor.personId);
  const reach = reachOf({ isOperator: actor.isOperator, role, teams }, action);
  if (reach === undefined) throw consoleErrors.forbidden();
  return reach;
}
