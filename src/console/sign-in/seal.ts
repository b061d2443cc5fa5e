// How a session's token is stored: hashed, so that what is in the database opens nothing.
import { createHash } from "node:crypto";

const sealPrefix = "sha256:";

/** A session's token as it is stored. The sign-in library hands back what it read, so what is sealed stays as it is. */
export const sealed = (token: string): string =>
  token.startsWith(sealPrefix) ? token : sealPrefix + createHash("sha256").update(token).digest("hex");

/** False for what only the database knows: nobody may come in with that. */
export const isSessionToken = (token: string): boolean => !token.startsWith(sealPrefix);
