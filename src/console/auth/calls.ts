// The calls of the sign-in library that people may make, and what of each is passed on. Whatever is not here is not there.

export interface AuthCall {
  readonly method: "GET" | "POST";
  /** Fields of the body that are passed on; none other. */
  readonly fields?: readonly string[];
  /** Fields that we set, whatever was sent. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Parameters of the query that are passed on. */
  readonly query?: readonly string[];
  /** Computes a hash. */
  readonly hashes?: true;
  /** A failure counts as a guess. */
  readonly isGuess?: true;
  /** A code of the second step: whose it is stands in a cookie. */
  readonly isCode?: true;
  /** The password must have been given in the last minutes, or stand in this field. */
  readonly confirmedBy?: "session" | "password" | "currentPassword";
  /** Asks the OpenID provider. */
  readonly isOpenId?: true;
}

const passkey = { method: "POST", confirmedBy: "session" } as const;
const secondFactor = { method: "POST", fields: ["password"], confirmedBy: "password", hashes: true } as const;
const code = { method: "POST", fields: ["code"], isGuess: true, isCode: true } as const;

export const authCalls: Readonly<Record<string, AuthCall>> = {
  "/sign-in/email": { method: "POST", fields: ["email", "password"], hashes: true, isGuess: true },
  // Where it goes on afterwards is no business of whoever calls.
  "/sign-in/social": { method: "POST", isOpenId: true },
  "/callback/oidc": { method: "GET", query: ["code", "state", "error", "error_description", "iss"], isOpenId: true },
  "/sign-out": { method: "POST" },
  "/reset-password": { method: "POST", fields: ["token", "newPassword"], hashes: true, isGuess: true },
  "/change-password": {
    method: "POST",
    fields: ["currentPassword", "newPassword"],
    // Whoever knew the old one is signed out.
    fixed: { revokeOtherSessions: true },
    confirmedBy: "currentPassword",
    hashes: true,
    isGuess: true,
  },
  "/two-factor/enable": { ...secondFactor, fixed: { method: "totp" }, isGuess: true },
  "/two-factor/disable": { ...secondFactor, isGuess: true },
  "/two-factor/generate-backup-codes": { ...secondFactor, isGuess: true },
  "/two-factor/verify-totp": code,
  "/two-factor/verify-backup-code": code,
  "/passkey/generate-register-options": { method: "GET", query: ["name"], confirmedBy: "session" },
  "/passkey/verify-registration": { ...passkey, fields: ["response", "name"] },
  "/passkey/generate-authenticate-options": { method: "GET" },
  "/passkey/verify-authentication": { method: "POST", fields: ["response"], isGuess: true },
  "/passkey/list-user-passkeys": { method: "GET" },
  "/passkey/update-passkey": { method: "POST", fields: ["id", "name"] },
  "/passkey/delete-passkey": { ...passkey, fields: ["id"] },
};
