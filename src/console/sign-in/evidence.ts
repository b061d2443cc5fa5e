// What a sign-in call leaves behind: entries in the security log, a line in the log, a count in the metrics, and email to the owner.
import { findPersonByEmail, findPersonByPasskey, type PersonRow } from "../../accounts/people/people.store.ts";
import { announce } from "../../accounts/sign-in/account-mails.ts";
import {
  type Client,
  recordFirstStep,
  recordRefusedSignIn,
  recordSignIn,
  type SignInMethod,
  type SignInRefusal,
} from "../../accounts/sign-in/evidence.ts";
import type { Transaction } from "../../platform/database/database.ts";
import type { IncomingRequest } from "../../platform/http/receive.ts";
import type { AdmittedCall } from "./admit.ts";
import type { SignInDependencies } from "./context.ts";

/** By the path of a call that opens a session. */
const methods: Readonly<Record<string, SignInMethod>> = {
  "/sign-in/email": { method: "password" },
  "/passkey/verify-authentication": { method: "passkey" },
  "/callback/oidc": { method: "single_sign_on" },
  "/two-factor/verify-totp": { method: "password", second_factor: "code" },
  "/two-factor/verify-backup-code": { method: "password", second_factor: "recovery_code" },
};

/** By the path of a call that was refused. The others ask for the password of the person who is signed in. */
const reasons: Readonly<Record<string, SignInRefusal>> = {
  "/sign-in/email": "password",
  "/passkey/verify-authentication": "passkey",
  "/callback/oidc": "single_sign_on",
  "/two-factor/verify-totp": "code",
  "/two-factor/verify-backup-code": "recovery_code",
  "/reset-password": "link",
};

export const clientOf = (request: IncomingRequest): Client => ({
  address: request.clientAddress,
  userAgent: request.header("user-agent"),
});

/** Whether the call signs somebody in. With a session, a code only turns the second factor on. */
export const isSignIn = ({ path, row, personId }: AdmittedCall): boolean =>
  methods[path] !== undefined && !(row.isCode && personId !== undefined);

/**
 * Records the session that a call opens, in the transaction that opens it. Better Auth also opens one before it asks for a code, and
 * closes it at once.
 */
export async function recordSession(
  context: SignInDependencies,
  call: AdmittedCall,
  transaction: Transaction,
  person: PersonRow,
): Promise<void> {
  const method = methods[call.path];
  if (!method || !isSignIn(call)) return;
  call.opened.personId = person.id;
  const client = clientOf(call.request);
  if (call.path === "/sign-in/email" && person.two_factor_enabled) return recordFirstStep(transaction, person, client);
  if (await recordSignIn(transaction, person, client, method))
    announce(context, transaction, person, "session.create", { client });
}

/** Records a refused call that was a guess. @param code of the refusal */
export async function recordRefusal(
  context: Pick<SignInDependencies, "database" | "log" | "signIns">,
  call: Pick<AdmittedCall, "path" | "request" | "account" | "body">,
  code: string | undefined,
  requestId: string,
): Promise<void> {
  const { path, request, account, body } = call;
  const reason =
    code === "account_disabled" ? "disabled" : isTooMany(code) ? "too_many" : (reasons[path] ?? "confirmation");
  context.signIns?.refused(reason);
  const person = await context.database.transaction(async (transaction) => {
    const found =
      account === undefined ? await ownerOf(transaction, body) : await findPersonByEmail(transaction, account);
    await recordRefusedSignIn(transaction, found, clientOf(request), reason);
    return found;
  });
  context.log.write("warn", "sign-in refused", {
    requestId,
    clientAddress: request.clientAddress,
    path: request.path,
    code,
    personId: person?.id,
  });
}

const isTooMany = (code: string | undefined): boolean =>
  code === "too_many_attempts" || code === "too_many_codes" || code === "codes_stopped";

/** The owner of the passkey that was presented. */
async function ownerOf(
  transaction: Transaction,
  body: Record<string, unknown> | undefined,
): Promise<PersonRow | undefined> {
  const { id } = (body?.response ?? {}) as { id?: unknown };
  return typeof id === "string" ? findPersonByPasskey(transaction, id) : undefined;
}
