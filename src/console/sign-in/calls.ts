// The calls of the sign-in library that people may make, and what of each is passed on. Whatever is not here is not there.
import type { AccountAct } from "./acts.ts";

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
  /** Stands in the security log of the account that it is done to. */
  readonly act?: AccountAct;
}

const passkey = { method: "POST", confirmedBy: "session" } as const;
const secondFactor = { method: "POST", fields: ["password"], confirmedBy: "password", hashes: true } as const;
const code = { method: "POST", fields: ["code"], isGuess: true, isCode: true } as const;

export const authCalls: Readonly<Record<string, AuthCall>> = {
  "/sign-in/email": { method: "POST", fields: ["email", "password"], hashes: true, isGuess: true },
  // Where it goes on afterwards is no business of whoever calls. `again`: the provider shall ask who it is, whoever is signed in there.
  "/sign-in/social": { method: "POST", fields: ["again"], isOpenId: true },
  "/callback/oidc": { method: "GET", query: ["code", "state", "error", "error_description", "iss"], isOpenId: true },
  "/sign-out": { method: "POST" },
  "/reset-password": {
    ...{ method: "POST", fields: ["token", "newPassword"], hashes: true, isGuess: true },
    act: { model: "account", action: "password.reset" },
  },
  "/change-password": {
    method: "POST",
    fields: ["currentPassword", "newPassword"],
    // Whoever knew the old one is signed out.
    fixed: { revokeOtherSessions: true },
    confirmedBy: "currentPassword",
    hashes: true,
    isGuess: true,
    act: { model: "account", action: "password.change" },
  },
  "/two-factor/enable": { ...secondFactor, fixed: { method: "totp" }, isGuess: true },
  "/two-factor/disable": {
    ...{ ...secondFactor, isGuess: true },
    act: { model: "user", action: "second_factor.disable" },
  },
  "/two-factor/generate-backup-codes": {
    ...{ ...secondFactor, isGuess: true },
    act: { model: "twoFactor", action: "recovery_codes.create" },
  },
  // The first right code switches the second step on; of a sign-in it changes nothing of the account.
  "/two-factor/verify-totp": { ...code, act: { model: "user", action: "second_factor.enable" } },
  "/two-factor/verify-backup-code": code,
  "/passkey/generate-register-options": { method: "GET", query: ["name"], confirmedBy: "session" },
  "/passkey/verify-registration": {
    ...{ ...passkey, fields: ["response", "name"] },
    act: { model: "passkey", action: "passkey.create" },
  },
  "/passkey/generate-authenticate-options": { method: "GET" },
  "/passkey/verify-authentication": { method: "POST", fields: ["response"], isGuess: true },
  "/passkey/list-user-passkeys": { method: "GET" },
  "/passkey/update-passkey": { method: "POST", fields: ["id", "name"] },
  "/passkey/delete-passkey": {
    ...{ ...passkey, fields: ["id"] },
    act: { model: "passkey", action: "passkey.delete" },
  },
};
