// Who calls the console, and what they may do: cookie or access token → actor, and the table of actions → reach. It is read in the call's
// own transaction, so that an ended session or token and a changed role count for the very next call, on every node.
import { noWorkspace } from "../accounts/audit/audit.ts";
import { findStanding, findTeamRoles, type Standing } from "../accounts/members/members.store.ts";
import {
  extendSession,
  findSession,
  findToken,
  lastEndOf,
  type SessionRow,
  type SignInLimits,
  type TokenRow,
  touchToken,
} from "../accounts/people/sessions.store.ts";
import { hashOfToken, isToken } from "../accounts/people/token-secret.ts";
import { lackOf } from "../accounts/sign-in/policy.ts";
import { hashSessionToken } from "../accounts/sign-in/session-token.ts";
import { removalOf } from "../accounts/workspaces/deletion.ts";
import { type Action, type Reach, reachOf } from "../contract/console/actions.ts";
import { consoleErrors } from "../contract/console/errors.ts";
import { consoleLimits } from "../contract/console/limits.ts";
import type { ConsoleOperation } from "../contract/console/operation.ts";
import { areaOf, isInScopes, type Scopes } from "../contract/console/scopes.ts";
import type { Transaction } from "../platform/database/database.ts";
import { fromJson } from "../platform/database/sql.ts";
import { bearerToken } from "../platform/http/bearer-token.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { addDays, addMinutes, dayOf } from "../platform/time.ts";
import type { Actor } from "./actor.ts";

/** What a request presents. Nothing in it was looked up yet. */
export type Credential =
  | { readonly kind: "session"; readonly token: string; readonly limits: SignInLimits }
  | { readonly kind: "token"; readonly secretHash: string; readonly limits: SignInLimits }
  | { readonly kind: "none" };

/** @param sessionToken of a cookie with a right signature. @throws Refusal `unauthenticated` for a bearer that is no access token */
export function credentialOf(
  request: IncomingRequest,
  sessionToken: string | undefined,
  limits: SignInLimits,
): Credential {
  const bearer = bearerToken(request.authorization);
  if (bearer !== undefined) {
    if (!isToken(bearer)) throw consoleErrors.tokenInvalid();
    return { kind: "token", secretHash: hashOfToken(bearer), limits };
  }
  return sessionToken === undefined ? { kind: "none" } : { kind: "session", token: sessionToken, limits };
}

/** Browsers send the cookie with requests of any page, so a change must come from one of our pages. @throws Refusal `forbidden` */
export function requireOwnOrigin(request: IncomingRequest, origin: string, body: "none" | "json" | "file"): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (request.header("origin") !== origin) throw consoleErrors.otherOrigin();
  const type = request.header("content-type") ?? "";
  // Pages on other sites cannot send these types without being asked about.
  if (body === "json" && !/^application\/json\b/i.test(type)) throw consoleErrors.notJson();
  if (body === "file" && !/^application\/octet-stream\b/i.test(type)) throw consoleErrors.notFile();
}

export interface Authorized {
  readonly actor: Actor;
  readonly workspaceId: string;
  readonly reach: Reach;
  /** The teams of the workspace that can still be restored. */
  readonly deletedTeamIds: ReadonlySet<string>;
  /** Records that the session or token is in use, where that is due. The call itself may only read. */
  readonly touchSession: ((transaction: Transaction) => void) | undefined;
}

/** Who calls, for the log: known even where the call is refused. */
export interface Identity {
  personId?: string;
}

/**
 * @param identity is filled in as soon as it is known
 * @throws Refusal `unauthenticated`, `forbidden`; `not_found` where the actor can see no such workspace
 */
export async function authorize(
  transaction: Transaction,
  credential: Credential,
  operation: ConsoleOperation,
  workspaceId: string | undefined,
  clientAddress: string,
  identity: Identity = {},
): Promise<Authorized> {
  const { actor, token, touchSession } = await identify(transaction, credential, clientAddress);
  identity.personId = actor.personId;
  const { access, worksInDeleted } = operation;
  if (actor.scopes) {
    if (!operation.isForTokens) throw consoleErrors.tokenNotAllowed();
    const level = operation.method === "GET" ? "read" : "write";
    if (access !== "public" && access !== "signedIn" && !isInScopes(actor.scopes, access, level))
      throw consoleErrors.tokenScopeMissing(areaOf(access), level);
  }
  const isOwn = access === "public" || access === "signedIn";
  const reached = isOwn
    ? everywhere
    : await reachIn(transaction, actor, token?.workspaceId, { access, worksInDeleted }, workspaceId);
  return { actor, workspaceId: (isOwn ? undefined : workspaceId) ?? noWorkspace, ...reached, touchSession };
}

/** @param body of the operation's schema. @throws Refusal `forbidden` where the password must be given again */
export function requireConfirmation({ confirmation }: ConsoleOperation, body: unknown, { actor }: Authorized): void {
  const isAsked =
    // Only rows whose body is an object decide by it.
    typeof confirmation === "function" ? confirmation(body as Record<string, unknown>) : confirmation === "always";
  if (isAsked && actor.kind === "person" && actor.confirmedUntil === null) throw consoleErrors.confirmationRequired();
}

interface Identified extends Pick<Authorized, "actor" | "touchSession"> {
  readonly token: { readonly workspaceId: string } | undefined;
}

async function identify(transaction: Transaction, credential: Credential, clientAddress: string): Promise<Identified> {
  switch (credential.kind) {
    case "none":
      throw consoleErrors.signInRequired();
    case "session": {
      const row = await findSession(transaction, hashSessionToken(credential.token), credential.limits);
      if (!row) throw consoleErrors.signInRequired();
      return identifySession(row, transaction.now, clientAddress, credential.limits);
    }
    case "token": {
      const row = await findToken(transaction, credential.secretHash);
      if (!row) throw consoleErrors.tokenInvalid();
      return identifyToken(row, transaction.now, clientAddress, credential.limits);
    }
  }
}

/** How often the database records that a session or a token is in use. */
const sessionTouchMinutes = 60;
const tokenTouchMinutes = 1;

function identifySession(row: SessionRow, now: string, clientAddress: string, limits: SignInLimits): Identified {
  const isExtended = row.updated_at <= addMinutes(now, -sessionTouchMinutes);
  const lastEnd = lastEndOf(row, limits);
  const extendedEnd = addDays(now, consoleLimits.sessionDays);
  const endsAt = isExtended ? (extendedEnd < lastEnd ? extendedEnd : lastEnd) : row.expires_at;
  const confirmedUntil = row.confirmed_at && addMinutes(row.confirmed_at, consoleLimits.confirmationMinutes);
  return {
    actor: {
      kind: "person",
      personId: row.person_id,
      name: row.name,
      email: row.email,
      isOperator: Boolean(row.is_operator),
      id: row.id,
      clientAddress,
      confirmedUntil: confirmedUntil !== null && confirmedUntil > now ? confirmedUntil : null,
      signIn: {
        isSingleSignOn: row.sign_in_method === "single_sign_on",
        hasSecondFactor: Boolean(row.has_second_factor),
        hasFactor: Boolean(row.has_factor),
      },
      provider: limits.openId?.name,
      scopes: undefined,
      session: { id: row.id, endsAt },
    },
    token: undefined,
    touchSession: isExtended ? (writing) => extendSession(writing, row.id, endsAt) : undefined,
  };
}

/** @throws Refusal `unauthenticated` where the owner has not signed in for long at the only place where they can */
function identifyToken(
  row: TokenRow,
  now: string,
  clientAddress: string,
  { singleSignOn: { tokenDays }, openId }: SignInLimits,
): Identified {
  const isRecent = row.single_sign_on_at !== null && addDays(row.single_sign_on_at, tokenDays) > now;
  if (row.needs_provider && !isRecent) throw consoleErrors.tokenOwnerAway(tokenDays);
  const isDue = row.last_used_at === null || row.last_used_at <= addMinutes(now, -tokenTouchMinutes);
  return {
    actor: {
      kind: "token",
      personId: row.person_id,
      name: row.name,
      email: row.email,
      // A token has its owner's rights as a member. The operator's rights need the operator.
      isOperator: false,
      id: row.id,
      clientAddress,
      confirmedUntil: null,
      // A token shows nothing itself. It works while its owner could sign in.
      signIn: {
        isSingleSignOn: isRecent,
        hasSecondFactor: Boolean(row.has_factor),
        hasFactor: Boolean(row.has_factor),
      },
      provider: openId?.name,
      scopes: fromJson<Scopes>(row.scopes),
      session: undefined,
    },
    token: { workspaceId: row.workspace_id },
    touchSession: isDue ? (writing) => touchToken(writing, row.id) : undefined,
  };
}

type Reached = Pick<Authorized, "reach" | "deletedTeamIds">;
const everywhere: Reached = { reach: "all", deletedTeamIds: new Set() };
type WorksInDeleted = ConsoleOperation["worksInDeleted"];

async function reachIn(
  transaction: Transaction,
  actor: Actor,
  tokenWorkspaceId: string | undefined,
  { access, worksInDeleted }: { readonly access: Action; readonly worksInDeleted: WorksInDeleted },
  workspaceId: string | undefined,
): Promise<Reached> {
  if (workspaceId === undefined) {
    if (!actor.isOperator) throw consoleErrors.forbidden();
    return everywhere;
  }
  // A workspace that is not the token's, one without this member, and an unknown one are refused alike.
  const isHidden = tokenWorkspaceId !== undefined && tokenWorkspaceId !== workspaceId;
  const standing = isHidden ? undefined : await enter(transaction, actor, workspaceId, worksInDeleted);
  if (!standing) throw consoleErrors.notFound("workspace");
  const { role, deletedTeamIds } = standing;
  const teams = await findTeamRoles(transaction, workspaceId, actor.personId);
  const reach = reachOf({ isOperator: actor.isOperator, role: role ?? undefined, teams }, access);
  if (reach === undefined) throw consoleErrors.forbidden();
  return { reach, deletedTeamIds };
}

/**
 * How the actor stands to a workspace; undefined where they can see no such workspace.
 * @throws Refusal `forbidden` where the workspace's sign-in policy does not accept how they signed in, and where it is deleted
 */
export async function enter(
  transaction: Transaction,
  actor: Actor,
  workspaceId: string,
  worksInDeleted?: WorksInDeleted,
): Promise<Standing | undefined> {
  const standing = await findStanding(transaction, workspaceId, actor.personId);
  if (!standing || (standing.role === null && !actor.isOperator)) return undefined;
  const lack = lackOf(standing.sign_in_policy, actor.signIn);
  if (lack)
    throw actor.kind === "token"
      ? consoleErrors.tokenOwnerLacks(lack)
      : consoleErrors.signInLacks(lack, actor.provider);
  const works = worksInDeleted === true || (worksInDeleted === "forOperators" && standing.role === null);
  if (standing.deleted_at !== null && !works)
    throw consoleErrors.workspaceDeleted(dayOf(removalOf(standing.deleted_at)));
  return standing;
}
