// Passes an admitted call to Better Auth, and translates its response into the forms of the console.
import {
  deleteVerifications,
  findPasswordHash,
  findPersonByEmail,
  type PersonRow,
} from "../../accounts/people/people.store.ts";
import { saveSecondFactorShown } from "../../accounts/people/sessions.store.ts";
import { revokeAllTokens } from "../../accounts/sign-in/account-audit.ts";
import { announce } from "../../accounts/sign-in/account-mails.ts";
import { countGuess, forgetGuesses, isReported, retractGuess } from "../../accounts/sign-in/code-guesses.ts";
import { hashRecoveryCode } from "../../accounts/sign-in/recovery-codes.ts";
import { hashSessionToken } from "../../accounts/sign-in/session-token.ts";
import { claimCode, releaseCode } from "../../accounts/sign-in/used-codes.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import { kindOfStatus, Refusal } from "../../contract/errors.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import { queueMail } from "../../platform/mail/outbox.ts";
import type { AdmittedCall } from "./admit.ts";
import { betterAuthRequest } from "./better-auth-request.ts";
import type { SignInContext } from "./context.ts";
import { clientOf, recordSession } from "./evidence.ts";
import { wrongCodesMail } from "./wrong-codes-mail.ts";

export interface BetterAuthReply {
  readonly status: number;
  readonly body: string;
  readonly cookies: readonly string[];
  readonly location?: string;
  /** The password was right, and a code is still needed. */
  readonly needsSecondFactor?: boolean;
  readonly refusal?: Refusal;
}

/** @throws Error where Better Auth fails */
export function callBetterAuth(context: SignInContext, call: AdmittedCall): Promise<BetterAuthReply> {
  if (call.path === "/two-factor/verify-totp") return callWithUnusedCode(context, call);
  if (call.path === "/two-factor/verify-backup-code") return callWithRecoveryCode(context, call);
  if (call.row.checksPassword && !call.isConfirmed) return callWithPassword(context, call);
  return passOn(context, call);
}

/** Checks the password of a call whose endpoint does not. */
async function callWithPassword(context: SignInContext, call: AdmittedCall): Promise<BetterAuthReply> {
  const { account, body } = call;
  const hash = await context.database.read(async (transaction) => {
    const person = account === undefined ? undefined : await findPersonByEmail(transaction, account);
    return person && findPasswordHash(transaction, person.id);
  });
  const { password } = body ?? {};
  const isRight = hash !== undefined && typeof password === "string" && (await context.hashing.verify(password, hash));
  if (isRight) return passOn(context, call);
  const refusal = new Refusal("invalid", "invalid_password", "Invalid password");
  return { status: refusal.status, body: "", cookies: [], refusal };
}

/**
 * A code of an app works once, and wrong ones are counted. It is claimed and counted before Better Auth sees it: of two simultaneous calls
 * with it, Better Auth would open a session for each.
 */
async function callWithUnusedCode(context: SignInContext, call: AdmittedCall): Promise<BetterAuthReply> {
  const { account, body } = call;
  const { database } = context;
  const code = String(body?.code);
  const claim = await database.transaction(async (transaction) => {
    const person = account === undefined ? undefined : await findPersonByEmail(transaction, account);
    if (!person) return undefined;
    const isOurs = await claimCode(transaction, person.id, code);
    return { person, isOurs, guesses: isOurs ? await countGuess(transaction, person.id) : 0 };
  });
  const used = consoleErrors.codeUsed();
  if (claim?.isOurs === false) return { status: used.status, body: "", cookies: [], refusal: used };
  let reply: BetterAuthReply | undefined;
  try {
    reply = await passOn(context, call);
    return reply;
  } finally {
    if (claim) await database.transaction((transaction) => settleCode(context, transaction, { ...claim, call, reply }));
  }
}

interface TriedCode {
  readonly person: PersonRow;
  /** Wrong codes in a row, with this one. */
  readonly guesses: number;
  readonly call: AdmittedCall;
  /** Undefined where the call failed. */
  readonly reply: BetterAuthReply | undefined;
}

/** Keeps what was counted, or takes it back, by what became of the code. */
async function settleCode(
  { config, origin }: SignInContext,
  transaction: Transaction,
  { person, guesses, call: { body, request }, reply }: TriedCode,
): Promise<void> {
  if (reply?.status === 200) return forgetGuesses(transaction, person.id);
  releaseCode(transaction, person.id, String(body?.code));
  if (reply?.refusal?.code !== "invalid_code") return retractGuess(transaction, person.id);
  if (config.mail && isReported(guesses))
    queueMail(transaction, wrongCodesMail(person.email, guesses, request.clientAddress, origin));
}

/** A right recovery code ends the count of wrong codes, as a right code of the app does. */
async function callWithRecoveryCode(context: SignInContext, call: AdmittedCall): Promise<BetterAuthReply> {
  const { account, body } = call;
  const code = hashRecoveryCode(String(body?.code), context.instanceKey);
  const reply = await passOn(context, { ...call, body: { ...body, code } });
  if (reply.status === 200 && account !== undefined)
    await context.database.transaction(async (transaction) => {
      const person = await findPersonByEmail(transaction, account);
      if (person) forgetGuesses(transaction, person.id);
    });
  return reply;
}

async function passOn(context: SignInContext, call: AdmittedCall): Promise<BetterAuthReply> {
  const { path, row, isConfirmed, request } = call;
  const { response, failure } = await context.betterAuth.call(
    betterAuthRequest(call, context.origin, context.instanceKey),
    {
      isOpenId: row.isOpenId ?? false,
      isConfirmed,
      audits: row.audits,
      clientAddress: request.clientAddress,
      onSession: (transaction, person) => recordSession(context, call, transaction, person),
      onChange: (transaction, person, action) =>
        announce(context, transaction, person, action, { client: clientOf(request) }),
    },
  );
  const cookies = response.headers.getSetCookie();
  const { status } = response;
  const value: unknown = await response.json().catch(() => undefined);
  // Better Auth fails where it cannot read a new passkey.
  if (status >= 500 && codeOf(value) === "FAILED_TO_VERIFY_REGISTRATION")
    return { status: 400, body: "", cookies, refusal: toRefusal(path, 400, value) };
  if (status >= 500) {
    if (failure !== undefined) throw failure;
    throw new Error(`the sign-in library answered ${status} to ${path}`);
  }
  const location = response.headers.get("location");
  if (status >= 300 && status < 400 && location !== null) return { status: 302, body: "", cookies, location };
  if (status >= 400) return { status, body: "", cookies, refusal: toRefusal(path, status, value) };
  const result = toRecord(value);
  if (path === "/passkey/verify-registration" && call.token !== undefined)
    await afterPasskey(context.database, call.token);
  if (path === "/change-password") await afterPasswordChange(context.database, result, call);
  // Better Auth only prefers it.
  if (path === "/passkey/generate-authenticate-options") result.userVerification = "required";
  return {
    status: 200,
    body: JSON.stringify(withoutToken(value)),
    cookies,
    needsSecondFactor: result.twoFactorRedirect === true,
  };
}

/** A changed password also ends what was begun with the old one, which Better Auth forgets, and access tokens. */
async function afterPasswordChange(
  database: Database,
  { user }: Record<string, unknown>,
  { body, request }: AdmittedCall,
): Promise<void> {
  const { id } = user as { id: string };
  await database.transaction(async (transaction) => {
    deleteVerifications(transaction, id);
    if (body?.keepsTokens !== true) await revokeAllTokens(transaction, id, request.clientAddress);
  });
}

/** A new passkey has just shown what it would show at a sign-in. */
const afterPasskey = (database: Database, token: string): Promise<void> =>
  database.transaction(async (transaction) => saveSecondFactorShown(transaction, hashSessionToken(token)));

/** The value itself where it is an object, so that its fields can be changed. */
const toRecord = (value: unknown): Record<string, unknown> =>
  (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;

const codeOf = (value: unknown): unknown => toRecord(value).code;

/** A refusal of Better Auth in the form of all others. */
function toRefusal(path: string, status: number, value: unknown): Refusal {
  const { code, message } = toRecord(value);
  if (path === "/sign-in/email" && status === 401) return consoleErrors.signInRefused();
  return new Refusal(
    kindOfStatus(status),
    typeof code === "string" ? code.toLowerCase() : "refused",
    typeof message === "string" ? message : "This request was refused",
  );
}

/** The session's token is in the cookie, where no script reads it. The body must not repeat it. */
function withoutToken(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { token: _, session: __, ...rest } = value as Record<string, unknown>;
  return rest;
}
