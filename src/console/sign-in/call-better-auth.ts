// Passes an admitted call to Better Auth, and translates its response into the forms of the console.
import { deleteVerifications, findPersonByEmail } from "../../accounts/people/people.store.ts";
import { claimCode, releaseCode } from "../../accounts/sign-in/used-codes.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import { kindOfStatus, Refusal } from "../../contract/errors.ts";
import type { Database } from "../../platform/database/database.ts";
import type { AdmittedCall } from "./admit.ts";
import { betterAuthRequest } from "./better-auth-request.ts";
import type { SignInContext } from "./context.ts";

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
export const callBetterAuth = (context: SignInContext, call: AdmittedCall): Promise<BetterAuthReply> =>
  call.path === "/two-factor/verify-totp" ? callWithUnusedCode(context, call) : passOn(context, call);

/**
 * A code of an app works once. It is claimed before Better Auth sees it: of two simultaneous calls with it, Better Auth would open a
 * session for each.
 */
async function callWithUnusedCode(context: SignInContext, call: AdmittedCall): Promise<BetterAuthReply> {
  const { account, body } = call;
  const code = String(body?.code);
  const claim = await context.database.transaction(async (transaction) => {
    const person = account === undefined ? undefined : await findPersonByEmail(transaction, account);
    return person && { personId: person.id, isOurs: await claimCode(transaction, person.id, code) };
  });
  const used = consoleErrors.codeUsed();
  if (claim?.isOurs === false) return { status: used.status, body: "", cookies: [], refusal: used };
  let isRight = false;
  try {
    const reply = await passOn(context, call);
    isRight = reply.status === 200;
    return reply;
  } finally {
    if (claim && !isRight)
      await context.database.transaction(async (transaction) => releaseCode(transaction, claim.personId, code));
  }
}

async function passOn(context: SignInContext, call: AdmittedCall): Promise<BetterAuthReply> {
  const { path, row, isConfirmed, request } = call;
  const { response, failure } = await context.betterAuth.call(
    betterAuthRequest(call, context.origin, await context.cookieSecret()),
    { isOpenId: row.isOpenId ?? false, isConfirmed, audits: row.audits, clientAddress: request.clientAddress },
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
  if (path === "/change-password") await deleteVerificationsOf(context.database, result);
  // Better Auth only prefers it.
  if (path === "/passkey/generate-authenticate-options") result.userVerification = "required";
  return {
    status: 200,
    body: JSON.stringify(withoutToken(value)),
    cookies,
    needsSecondFactor: result.twoFactorRedirect === true,
  };
}

/** A changed password also ends what was begun with the old one, which Better Auth forgets. */
async function deleteVerificationsOf(database: Database, { user }: Record<string, unknown>): Promise<void> {
  const { id } = user as { id: string };
  await database.transaction(async (transaction) => deleteVerifications(transaction, id));
}

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
