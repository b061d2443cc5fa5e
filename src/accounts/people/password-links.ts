// Links with which a person sets a new password, once. The sign-in library carries out what they lead to, so the row is as it writes its own.
import { createHash } from "node:crypto";
import type { Transaction } from "../../platform/database/database.ts";
import { addMinutes } from "../../platform/time.ts";

/** 192 bits; a link with it fits into a line of a terminal. */
const tokenBytes = 24;

/** Where a new password is set. The token stands behind the #, which no browser sends and no server logs. */
export const passwordLink = (origin: string, token: string): string => `${origin}/console/password#${token}`;

/** What the library finds a one-time thing by, as it is stored. */
export const verificationIdentifier = (name: string): string => createHash("sha256").update(name).digest("base64url");

/** @returns the token, of which only a hash is stored */
export function makePasswordToken(transaction: Transaction, personId: string, minutes: number): string {
  const token = crypto
    .getRandomValues(new Uint8Array(tokenBytes))
    .toBase64({ alphabet: "base64url", omitPadding: true });
  transaction.insert("person_verifications", [
    {
      id: transaction.newId(),
      identifier: verificationIdentifier(`reset-password:${token}`),
      value: personId,
      expires_at: addMinutes(transaction.now, minutes),
      ...{ created_at: transaction.now, updated_at: transaction.now },
    },
  ]);
  return token;
}
