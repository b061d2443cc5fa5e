// The secret that all nodes of an instance share and nobody outside knows. It signs cookies and encrypts what Better Auth stores.
import type { Transaction } from "../../platform/database/database.ts";
import { findInstanceSecret, insertInstanceSecret } from "./cookie-secret.store.ts";

const secretName = "sign-in";
const secretBytes = 32;

/** The secret that signs cookies. The first call of an instance makes it; it never changes. */
export async function findOrCreateCookieSecret(transaction: Transaction): Promise<string> {
  const known = await findInstanceSecret(transaction, secretName);
  if (known !== undefined) return known;
  const value = crypto.getRandomValues(new Uint8Array(secretBytes)).toBase64({ alphabet: "base64url" });
  await insertInstanceSecret(transaction, secretName, value);
  const stored = await findInstanceSecret(transaction, secretName);
  if (stored === undefined) throw new Error(`the secret ${secretName} cannot be stored`);
  return stored;
}
