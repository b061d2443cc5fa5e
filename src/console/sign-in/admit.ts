// Decides whether a call may reach Better Auth: it is on the allowlist, it comes from our own pages, and a sensitive one is
// confirmed by a password.

import { identifierOfLink, verificationIdentifier } from "../../accounts/people/password-links.ts";
import {
  findEmailOfVerification,
  findPasswordHash,
  findPerson,
  findPersonByEmail,
} from "../../accounts/people/people.store.ts";
import { findSession } from "../../accounts/people/sessions.store.ts";
import { betterAuthPath } from "../../accounts/sign-in/better-auth-call.ts";
import { hashSessionToken } from "../../accounts/sign-in/session-token.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import { consoleOperations } from "../../contract/console/operations.ts";
import { errors } from "../../contract/errors.ts";
import type { IncomingRequest } from "../../platform/http/receive.ts";
import { isEasyToGuess } from "../../platform/secrets/password-strength.ts";
import type { Actor } from "../actor.ts";
import { authorize, requireOwnOrigin } from "../authorize.ts";
import { type AllowedCall, allowedCalls } from "./allowed-calls.ts";
import { readBody, requireValidBody } from "./body.ts";
import type { SignInContext } from "./context.ts";
import { readSessionToken, readSignedCookie, secondStepCookie } from "./cookie.ts";

/** A call that may reach Better Auth. */
export interface AdmittedCall {
  readonly path: string;
  readonly row: AllowedCall;
  readonly request: IncomingRequest;
  /** Only the fields that Better Auth may see. */
  readonly body: Record<string, unknown> | undefined;
  /** The token of the session cookie. The session may have ended. */
  readonly token: string | undefined;
  readonly isConfirmed: boolean;
  /** The account whose password or code is tried; undefined where that is not known. */
  readonly account: string | undefined;
  /** Who is signed in, as far as the call had to know it. */
  readonly personId: string | undefined;
  /** Whose session the call has opened. */
  readonly opened: { personId?: string };
}

/** @throws Refusal for a call that does not reach Better Auth */
export async function admit(context: SignInContext, request: IncomingRequest): Promise<AdmittedCall> {
  const path = request.path.slice(betterAuthPath.length);
  const row = Object.hasOwn(allowedCalls, path) ? allowedCalls[path] : undefined;
  if (!row || (row.isOpenId && !context.config.openId)) throw errors.pathUnknown();
  if (request.method !== row.method) throw errors.methodNotAllowed(row.method);
  requireOwnOrigin(request, context.origin, "json");
  const body = row.method === "POST" ? await readBody(request, row.fields ?? []) : undefined;
  const token = readSessionToken(request.header("cookie"), context.instanceKey);
  const call = { path, row, request, body, token };
  const confirmation = await confirm(context, call);
  requireValidBody(body ?? {});
  await requireStrongPassword(context, body ?? {}, confirmation.account);
  return { ...call, ...confirmation, opened: {} };
}

/**
 * @param account of a changed password; the token of a link names another's. What Better Auth refuses for its length is left to it.
 * @throws Refusal `invalid` for a new password that is easy to guess
 */
async function requireStrongPassword(
  { database }: SignInContext,
  { newPassword, token }: Record<string, unknown>,
  account: string | undefined,
): Promise<void> {
  if (typeof newPassword !== "string" || [...newPassword].length < consoleLimits.passwordLengthMin) return;
  const person = await database.read(async (transaction) => {
    const email =
      account ?? (await findEmailOfVerification(transaction, identifierOfLink("reset-password", String(token))));
    return email === undefined ? undefined : findPersonByEmail(transaction, email);
  });
  if (person && (await isEasyToGuess(newPassword, [person.name, person.email]))) throw consoleErrors.passwordWeak();
}

type Confirmation = Pick<AdmittedCall, "isConfirmed" | "account" | "personId">;
type UnconfirmedCall = Omit<AdmittedCall, keyof Confirmation | "opened">;

/** @throws Refusal `unauthenticated` and `forbidden` for a sensitive call without a session or confirmation */
async function confirm(context: SignInContext, call: UnconfirmedCall): Promise<Confirmation> {
  const { row, body } = call;
  if (row.confirmedBy === undefined) {
    const email = typeof body?.email === "string" ? body.email.trim().toLowerCase() : undefined;
    return { isConfirmed: false, account: email, personId: undefined, ...(await accountOfCode(context, call)) };
  }
  const { actor, hasPassword, isVerified } = await findActor(context, call);
  // An account without a password ignores a password that is sent.
  const isGiven = hasPassword && row.confirmedBy !== "session" && body?.[row.confirmedBy] !== undefined;
  if (!isGiven && hasPassword && row.asksPassword) throw consoleErrors.passwordRequired();
  if (!isGiven && actor.confirmedUntil === null) throw consoleErrors.confirmationRequired();
  // Without mail, nobody could verify an address, and a mailbox opens no account.
  if (row.enrolls && context.config.mail && !isVerified) throw consoleErrors.emailUnverified();
  return { isConfirmed: !isGiven, account: isGiven ? actor.email : undefined, personId: actor.personId };
}

/** @throws Refusal `unauthenticated` */
async function findActor(
  { database, config }: SignInContext,
  { request, token }: UnconfirmedCall,
): Promise<{ actor: Actor; hasPassword: boolean; isVerified: boolean }> {
  if (token === undefined) throw consoleErrors.signInRequired();
  return database.read(async (transaction) => {
    const credential = { kind: "session", token, limits: config } as const;
    const { getSessions } = consoleOperations;
    const { actor } = await authorize(transaction, credential, getSessions, undefined, request.clientAddress);
    const person = await findPerson(transaction, actor.personId);
    return {
      actor,
      hasPassword: (await findPasswordHash(transaction, actor.personId)) !== undefined,
      isVerified: Boolean(person?.email_verified),
    };
  });
}

/** The account whose code is tried: of the session, else of the unfinished sign-in. Better Auth looks in the same order. */
async function accountOfCode(
  { database, config, instanceKey }: SignInContext,
  { row, request, token }: UnconfirmedCall,
): Promise<Partial<Confirmation>> {
  if (!row.isCode) return {};
  const unfinished = readSignedCookie(request.header("cookie"), secondStepCookie, instanceKey);
  return database.read(async (transaction) => {
    const session = token === undefined ? undefined : await findSession(transaction, hashSessionToken(token), config);
    if (session) return { account: session.email, personId: session.person_id };
    if (unfinished === undefined) return {};
    return { account: await findEmailOfVerification(transaction, verificationIdentifier(unfinished)) };
  });
}
