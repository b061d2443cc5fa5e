// Links of an account, which work once: for a new password, and to verify its address. Better Auth sets the password, so the row has the form that it
// expects.
import { createHash } from "node:crypto";
import type { Transaction } from "../../platform/database/database.ts";
import { addMinutes } from "../../platform/time.ts";

/** 192 bits: a link with it fits into one line of a terminal. */
const tokenBytes = 24;

/** The page where a new password is set. The token follows the #, which browsers do not send and servers do not log. */
export const passwordLink = (origin: string, token: string): string => `${origin}/console/password#${token}`;

/** The page where an address is verified. */
export const verificationLink = (origin: string, token: string): string => `${origin}/console/verify#${token}`;

/** The stored identifier by which Better Auth finds a verification. */
export const verificationIdentifier = (name: string): string => createHash("sha256").update(name).digest("base64url");

/** What the token of a link is for. */
type Purpose = "reset-password" | "verify-email" | "sign-in";

export const identifierOfLink = (purpose: Purpose, token: string): string =>
  verificationIdentifier(`${purpose}:${token}`);

export const makePasswordToken = (transaction: Transaction, personId: string, minutes: number): string =>
  makeLinkToken(transaction, "reset-password", personId, minutes);

/** @returns the token; only its hash is stored */
export function makeLinkToken(transaction: Transaction, purpose: Purpose, personId: string, minutes: number): string {
  const token = crypto
    .getRandomValues(new Uint8Array(tokenBytes))
    .toBase64({ alphabet: "base64url", omitPadding: true });
  transaction.insert("person_verifications", [
    {
      id: transaction.newId(),
      identifier: identifierOfLink(purpose, token),
      value: personId,
      expires_at: addMinutes(transaction.now, minutes),
      created_at: transaction.now,
      updated_at: transaction.now,
    },
  ]);
  return token;
}
