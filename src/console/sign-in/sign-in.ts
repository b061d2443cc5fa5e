// The door through which people sign in: the library behind an allow-list, loaded when somebody first needs it.

import { instanceSecret } from "../../accounts/people/instance-secret.ts";
import { verificationIdentifier } from "../../accounts/people/password-links.ts";
import {
  dropUnfinished,
  findEmailOfVerification,
  findPasswordHash,
  findPersonByEmail,
} from "../../accounts/people/people.store.ts";
import { findSession } from "../../accounts/people/sessions.store.ts";
import { SignInThrottle } from "../../accounts/people/sign-in-throttle.ts";
import { claimCode, releaseCode } from "../../accounts/people/used-codes.ts";
import type { Config } from "../../config.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import { consoleOperations } from "../../contract/console/operations.ts";
import { errors, kindOfStatus, Refusal } from "../../contract/errors.ts";
import { type Clock, type Database, DatabaseUnavailable } from "../../platform/database/database.ts";
import type { IncomingRequest } from "../../platform/http/receive.ts";
import { type OutgoingResponse, refusalResponse, unchargedHeaders } from "../../platform/http/respond.ts";
import { wait as byTheWall, type Wait } from "../../platform/jobs.ts";
import type { Log } from "../../platform/log.ts";
import { PasswordHashing } from "../../platform/secrets/password-hashing.ts";
import { pass, requireOwnOrigin } from "../authorize.ts";
import type { Actor } from "../call.ts";
import type { SessionCookie } from "../handle-call.ts";
import { authCalls } from "./calls.ts";
import { readSessionToken, readSignedCookie, secondStepCookie, writeSessionCookie } from "./cookie.ts";
import { type Library, openLibrary } from "./library.ts";
import { type Admitted, readBody, requestOf, requireForms } from "./request.ts";
import { sealed } from "./seal.ts";

export interface SignIn {
  /** The session's cookie, undefined where there is none that this instance has signed. */
  readonly cookieOf: (incoming: IncomingRequest) => Promise<SessionCookie | undefined>;
  /** A new session's token, as it is stored and as the browser gets it. */
  readonly newSession: () => Promise<{ readonly sealedToken: string; readonly cookie: string }>;
  /** Answers a call below /console/auth. Never throws. */
  readonly answer: (incoming: IncomingRequest, requestId: string) => Promise<OutgoingResponse>;
  readonly hashing: PasswordHashing;
  readonly throttle: SignInThrottle;
  /**
   * Makes a try that may be a guess, after as long as a further one at this account takes longer.
   *
   * @throws Refusal 429 for a network that failed too often
   */
  readonly guess: <T>(
    clientAddress: string,
    account: string | undefined,
    attempt: () => Promise<T>,
    hasFailed: (outcome: T) => boolean,
  ) => Promise<T>;
  /** Loads the library, so that it is there when somebody has typed. */
  readonly warm: () => void;
}

export interface SignInSettings {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly origin: string;
  readonly log: Log;
  readonly wait: Wait | undefined;
  readonly report: (requestId: string, cause: unknown) => void;
}

/** The name of the secret that signs cookies. */
export const signInSecret = "sign-in";

const tokenBytes = 32;

export function openSignIn(settings: SignInSettings): SignIn {
  const { config, database, clock, origin, report, wait = byTheWall } = settings;
  // It never changes, so it is kept once it could be read.
  let kept: string | undefined;
  const secret = async (): Promise<string> => {
    kept ??= await database.transaction((transaction) => instanceSecret(transaction, signInSecret));
    return kept;
  };
  const hashing = new PasswordHashing();
  const throttle = new SignInThrottle(clock);
  const onFailure = (cause: unknown) => report("", cause);
  const pause = (milliseconds: number) => wait(milliseconds, new AbortController().signal);
  const library = openLibrary({ database, origin, openId: config.openId, hashing, secret, pause, onFailure });
  const guess: SignIn["guess"] = async (clientAddress, account, attempt, hasFailed) => {
    const seconds = throttle.waitSeconds(clientAddress);
    if (seconds !== undefined) throw consoleErrors.tooManyAttempts(seconds);
    const { delayMilliseconds, takeBack } = throttle.guess(clientAddress, account);
    let isFailure = false;
    try {
      if (delayMilliseconds > 0) await pause(delayMilliseconds);
      const outcome = await attempt();
      isFailure = hasFailed(outcome);
      return outcome;
    } finally {
      // What failed inside was no guess either.
      if (!isFailure) takeBack();
    }
  };
  const door: Door = { ...settings, secret, hashing, throttle, library, guess, pause };
  return {
    hashing,
    throttle,
    guess,
    cookieOf: async (incoming) => {
      const header = incoming.header("cookie");
      if (header === null) return undefined;
      const signing = await secret();
      const token = readSessionToken(header, signing);
      return token === undefined ? undefined : { token, renewed: () => writeSessionCookie(token, signing) };
    },
    newSession: async () => {
      const token = crypto.getRandomValues(new Uint8Array(tokenBytes)).toBase64({ alphabet: "base64url" });
      return { sealedToken: sealed(token), cookie: writeSessionCookie(token, await secret()) };
    },
    answer: async (incoming, requestId) => {
      try {
        return await carryThrough(door, incoming, requestId);
      } catch (error) {
        if (error instanceof Refusal) return refusalResponse(error, requestId);
        report(requestId, error);
        return refusalResponse(failureOf(error), requestId);
      }
    },
    warm: () => void library.warm().catch(onFailure),
  };
}

interface Door extends SignInSettings {
  readonly secret: () => Promise<string>;
  readonly hashing: PasswordHashing;
  readonly throttle: SignInThrottle;
  readonly library: Library;
  readonly guess: SignIn["guess"];
  readonly pause: (milliseconds: number) => Promise<void>;
}

async function carryThrough(door: Door, incoming: IncomingRequest, requestId: string): Promise<OutgoingResponse> {
  const startedAt = performance.now();
  const admitted = await admit(door, incoming);
  const { row, account, path } = admitted;
  requireForms(admitted.body ?? {});
  const request = requestOf(admitted, door.origin, await door.secret());
  const ask = () =>
    path === "/two-factor/verify-totp"
      ? withCodeOnce(door, admitted, () => askLibrary(door, admitted, request))
      : askLibrary(door, admitted, request);
  const attempt = () => (row.hashes ? door.hashing.admit(ask) : ask());
  const isRefused = ({ status }: LibraryReply) => [400, 401, 403].includes(status);
  const answer = await (row.isGuess ? door.guess(incoming.clientAddress, account, attempt, isRefused) : attempt());
  if (row.isGuess && isRefused(answer)) {
    door.log.write("warn", "sign-in was refused", {
      ...{ requestId, client: incoming.clientAddress, path: incoming.path, code: answer.refusal?.code },
    });
    // Whether there is such an account shall not be told by how long it took.
    if (path === "/sign-in/email") await door.pause(toGrid(performance.now() - startedAt));
  } else if (account !== undefined && answer.status === 200 && !answer.isHalf) door.throttle.succeeded(account);
  if (answer.refusal) return { ...refusalResponse(answer.refusal, requestId), cookies: answer.cookies };
  return {
    status: answer.status,
    body: answer.body,
    headers: {
      ...unchargedHeaders(requestId),
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...(answer.location !== undefined && { Location: answer.location }),
    },
    cookies: answer.cookies,
    units: 0,
  };
}

const gridMilliseconds = 250;

/** Until the next whole quarter of a second. */
const toGrid = (milliseconds: number): number => gridMilliseconds - (milliseconds % gridMilliseconds);

/** @throws Refusal for whatever the library is not even asked */
async function admit(door: Door, incoming: IncomingRequest): Promise<Admitted> {
  const path = incoming.path.slice("/console/auth".length);
  const row = Object.hasOwn(authCalls, path) ? authCalls[path] : undefined;
  if (!row || (row.isOpenId && !door.config.openId)) throw errors.pathUnknown();
  if (incoming.method !== row.method) throw errors.methodNotAllowed(row.method);
  requireOwnOrigin(incoming, door.origin, true);
  const body = row.method === "POST" ? await readBody(incoming, row.fields ?? []) : undefined;
  const token = readSessionToken(incoming.header("cookie"), await door.secret());
  const shown = { path, row, incoming, body, token };
  if (row.confirmedBy === undefined) {
    const account = typeof body?.email === "string" ? body.email.trim().toLowerCase() : undefined;
    return { ...shown, isConfirmed: false, account: account ?? (await accountOfCode(door, shown)) };
  }
  const { actor, hasPassword } = await actorOf(door, incoming, token);
  // Who has no password gives none, whatever is sent.
  const isGiven = hasPassword && row.confirmedBy !== "session" && body?.[row.confirmedBy] !== undefined;
  if (!isGiven && actor.confirmedUntil === null) throw consoleErrors.confirmationRequired();
  return { ...shown, isConfirmed: !isGiven, account: isGiven ? actor.email : undefined };
}

/** @throws Refusal 401 */
async function actorOf(
  { database }: Door,
  incoming: IncomingRequest,
  token: string | undefined,
): Promise<{ actor: Actor; hasPassword: boolean }> {
  if (token === undefined) throw consoleErrors.signInRequired();
  const credential = { kind: "session", token } as const;
  return database.read(async (transaction) => {
    const { getSessions } = consoleOperations;
    const { actor } = await pass(transaction, credential, getSessions, undefined, incoming.clientAddress);
    return { actor, hasPassword: (await findPasswordHash(transaction, actor.personId)) !== undefined };
  });
}

/** Whose code is tried: of who is signed in, else of the half-finished sign-in. The library looks at them in the same order. */
async function accountOfCode(
  { database, secret }: Door,
  { row, incoming, token }: Pick<Admitted, "row" | "incoming" | "token">,
): Promise<string | undefined> {
  if (!row.isCode) return undefined;
  const half = readSignedCookie(incoming.header("cookie"), secondStepCookie, await secret());
  return database.read(async (transaction) => {
    const session = token === undefined ? undefined : await findSession(transaction, sealed(token));
    if (session || half === undefined) return session?.email;
    return findEmailOfVerification(transaction, verificationIdentifier(half));
  });
}

interface LibraryReply {
  readonly status: number;
  readonly body: string;
  readonly cookies: readonly string[];
  readonly location?: string;
  /** The password was right, and a code is still asked for. */
  readonly isHalf?: boolean;
  readonly refusal?: Refusal;
}

async function askLibrary(door: Door, admitted: Admitted, request: Request): Promise<LibraryReply> {
  const { path, row, isConfirmed } = admitted;
  const { response, failure } = await door.library.ask(request, {
    ...{ isOpenId: row.isOpenId ?? false, isConfirmed },
    ...{ act: row.act, clientAddress: admitted.incoming.clientAddress },
  });
  const cookies = response.headers.getSetCookie();
  const { status } = response;
  const value: unknown = await response.json().catch(() => undefined);
  // What it can not read of a new passkey is a failure of its own to the library.
  if (status >= 500 && codeOf(value) === "FAILED_TO_VERIFY_REGISTRATION")
    return { status: 400, body: "", cookies, refusal: refusalOf(path, 400, value) };
  if (status >= 500) {
    if (failure !== undefined) throw failure;
    throw new Error(`the sign-in library answered ${status} to ${path}`);
  }
  const location = response.headers.get("location");
  if (status >= 300 && status < 400 && location !== null) return { status: 302, body: "", cookies, location };
  if (status >= 400) return { status, body: "", cookies, refusal: refusalOf(path, status, value) };
  const about = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  if (path === "/change-password") await dropUnfinishedOf(door, about);
  // The library only prefers it.
  if (path === "/passkey/generate-authenticate-options") about.userVerification = "required";
  return { status: 200, body: JSON.stringify(withoutToken(value)), cookies, isHalf: about.twoFactorRedirect === true };
}

/** What was begun with the old password does not end with it. */
async function dropUnfinishedOf({ database }: Door, { user }: Record<string, unknown>): Promise<void> {
  const { id } = user as { id: string };
  await database.transaction(async (transaction) => dropUnfinished(transaction, id));
}

const codeOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "code" in value ? value.code : undefined;

/** The library's refusals in the form of all others. */
function refusalOf(path: string, status: number, value: unknown): Refusal {
  const { code, message } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  if (path === "/sign-in/email" && status === 401) return consoleErrors.signInRefused();
  return new Refusal(
    kindOfStatus(status),
    typeof code === "string" ? code.toLowerCase() : "refused",
    typeof message === "string" ? message : "This is not possible",
  );
}

/** The session stands in the cookie, where no script reads it: not in the body as well. */
function withoutToken(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { token: _, session: __, ...rest } = value as Record<string, unknown>;
  return rest;
}

/**
 * A code of an app counts once. It is claimed before the library is asked: of two calls with it at the same moment, the library would
 * open a session for each.
 */
async function withCodeOnce(door: Door, admitted: Admitted, ask: () => Promise<LibraryReply>): Promise<LibraryReply> {
  const { account, body } = admitted;
  const code = String(body?.code);
  const claim = await door.database.transaction(async (transaction) => {
    const person = account === undefined ? undefined : await findPersonByEmail(transaction, account);
    return person && { personId: person.id, isOurs: await claimCode(transaction, person.id, code) };
  });
  const used = consoleErrors.codeUsed();
  if (claim?.isOurs === false) return { status: used.status, body: "", cookies: [], refusal: used };
  let isRight = false;
  try {
    const answer = await ask();
    isRight = answer.status === 200;
    return answer;
  } finally {
    if (claim && !isRight)
      await door.database.transaction(async (transaction) => releaseCode(transaction, claim.personId, code));
  }
}

const retryAfterFailureSeconds = 1;
const failureOf = (error: unknown): Refusal =>
  error instanceof DatabaseUnavailable ? errors.unavailable(retryAfterFailureSeconds) : errors.internal();
