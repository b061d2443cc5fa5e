// The allowlist: the calls of Better Auth that people may make, and what of each reaches it. All others answer 404.
import type { AuditedChange } from "../../accounts/sign-in/account-audit.ts";

export interface AllowedCall {
  readonly method: "GET" | "POST";
  /** The only fields of the body that reach Better Auth. */
  readonly fields?: readonly string[];
  /** Fields that we set, whatever the client sent. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** The only query parameters that reach Better Auth. */
  readonly query?: readonly string[];
  /** Computes a password hash. */
  readonly hashes?: true;
  /** A failure counts as a guess. */
  readonly isGuess?: true;
  /** A code of the second factor. The session, or a cookie of the unfinished sign-in, names its account. */
  readonly isCode?: true;
  /** Needs a password given in the last minutes, or in this field. */
  readonly confirmedBy?: "session" | "password" | "currentPassword";
  /** Who has a password gives it in this very call, however recently they confirmed. */
  readonly asksPassword?: true;
  /** Better Auth does not ask for the password. It is checked here, and stays here. */
  readonly checksPassword?: true;
  /** Better Auth expects a GET with the fields in its query. */
  readonly isSentAsGet?: true;
  /** Adds a factor, so that mail to the account's address must be known to reach its owner. */
  readonly enrolls?: true;
  /** Needs the OpenID provider. */
  readonly isOpenId?: true;
  /** The change that the account's security log records. */
  readonly audits?: AuditedChange;
}

/** Someone who finds an open session must not be able to add or remove a factor. */
const byPassword = {
  method: "POST",
  confirmedBy: "password",
  asksPassword: true,
  hashes: true,
  isGuess: true,
} as const;
const secondFactor = { ...byPassword, fields: ["password"] } as const;
const code = { method: "POST", fields: ["code"], isGuess: true, isCode: true } as const;

export const allowedCalls: Readonly<Record<string, AllowedCall>> = {
  "/sign-in/email": { method: "POST", fields: ["email", "password"], hashes: true, isGuess: true },
  // We choose the page that follows. `again`: the provider must sign the person in again, even if they are signed in there.
  "/sign-in/social": { method: "POST", fields: ["again"], isOpenId: true },
  "/callback/oidc": { method: "GET", query: ["code", "state", "error", "error_description", "iss"], isOpenId: true },
  "/sign-out": { method: "POST" },
  "/reset-password": {
    method: "POST",
    fields: ["token", "newPassword"],
    hashes: true,
    isGuess: true,
    audits: { model: "account", action: "password.reset" },
  },
  "/change-password": {
    method: "POST",
    // keepsTokens is ours.
    fields: ["currentPassword", "newPassword", "keepsTokens"],
    // Signs out everybody who knew the old password.
    fixed: { revokeOtherSessions: true },
    confirmedBy: "currentPassword",
    asksPassword: true,
    hashes: true,
    isGuess: true,
    audits: { model: "account", action: "password.change" },
  },
  "/two-factor/enable": {
    ...secondFactor,
    fixed: { method: "totp" },
    enrolls: true,
  },
  "/two-factor/disable": {
    ...secondFactor,
    audits: { model: "user", action: "second_factor.disable" },
  },
  "/two-factor/generate-backup-codes": {
    ...secondFactor,
    audits: { model: "twoFactor", action: "recovery_codes.create" },
  },
  // The first right code turns the second factor on. At sign-in, a code changes nothing of the account.
  "/two-factor/verify-totp": { ...code, audits: { model: "user", action: "second_factor.enable" } },
  "/two-factor/verify-backup-code": code,
  "/passkey/generate-register-options": {
    ...byPassword,
    fields: ["name", "password"],
    checksPassword: true,
    isSentAsGet: true,
    enrolls: true,
  },
  "/passkey/verify-registration": {
    method: "POST",
    confirmedBy: "session",
    fields: ["response", "name"],
    enrolls: true,
    audits: { model: "passkey", action: "passkey.create" },
  },
  "/passkey/generate-authenticate-options": { method: "GET" },
  "/passkey/verify-authentication": { method: "POST", fields: ["response"], isGuess: true },
  "/passkey/list-user-passkeys": { method: "GET" },
  "/passkey/update-passkey": { method: "POST", fields: ["id", "name"] },
  "/passkey/delete-passkey": {
    ...byPassword,
    fields: ["id", "password"],
    checksPassword: true,
    audits: { model: "passkey", action: "passkey.delete" },
  },
};
