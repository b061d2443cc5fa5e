// How the token of a session is stored: hashed, so that a copy of the database signs nobody in.
import { createHash } from "node:crypto";

const tokenBytes = 32;
const hashPrefix = "sha256:";

/** Makes the token of a new session, for the browser alone. */
export const newSessionToken = (): string =>
  crypto.getRandomValues(new Uint8Array(tokenBytes)).toBase64({ alphabet: "base64url" });

/** The token as it is stored. Better Auth passes on what it read from the database, so a hash is not hashed again. */
export const hashSessionToken = (token: string): string =>
  token.startsWith(hashPrefix) ? token : hashPrefix + createHash("sha256").update(token).digest("hex");

/** False for a stored hash, with which nobody may sign in. */
export const isSessionToken = (token: string): boolean => !token.startsWith(hashPrefix);
