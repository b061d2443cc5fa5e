// The settings of Better Auth, each with its reason. Only load-better-auth.ts imports this file.
import { passkey } from "@better-auth/passkey";
import { APIError, getOAuthState } from "better-auth/api";
import { betterAuth } from "better-auth/minimal";
import { type GenericOAuthConfig, genericOAuth } from "better-auth/plugins/generic-oauth";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { OpenIdSettings } from "../../config.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Hasher } from "../../platform/secrets/password-hashing.ts";
import { daySeconds, hourMilliseconds } from "../../platform/time.ts";
import type { SessionRow } from "../people/sessions.store.ts";
import { betterAuthStorage } from "./better-auth.store.ts";
import { type BetterAuthCall, betterAuthPath, clientHeader } from "./better-auth-call.ts";
import { storedRecoveryCodes } from "./recovery-codes.ts";

export interface BetterAuthSettings {
  /** The address of the console: `https://host[:port]`. */
  readonly origin: string;
  readonly secret: string;
  readonly hasher: Hasher;
  readonly openId: OpenIdSettings | undefined;
  /** The age at which a session of single sign-on ends. */
  readonly singleSignOnHours: number;
  /** Receives a failure inside Better Auth, whose response only says that something failed. */
  readonly onFailure: (cause: unknown) => void;
  readonly onPasswordReset: (personId: string) => Promise<void>;
  /** The call that Better Auth is carrying out. */
  readonly currentCall: () => BetterAuthCall | undefined;
}

/** Better Auth's name for the only provider. */
const openIdProvider = "oidc";
/** Better Auth's name for the call with which the provider sends people back. */
const openIdCallback = "/callback/:id";

const name = "Commonplace";

export const configureBetterAuth = (database: Database, settings: BetterAuthSettings) => {
  const { origin, hasher, openId } = settings;
  return betterAuth({
    appName: name,
    baseURL: origin,
    basePath: betterAuthPath,
    secret: settings.secret,
    trustedOrigins: [origin],
    database: betterAuthStorage(database, settings.currentCall),
    telemetry: { enabled: false },
    // It logs addresses and whole errors. We log what matters.
    logger: { disabled: true },
    onAPIError: { errorURL: `${origin}/console/sign-in`, onError: settings.onFailure },
    emailAndPassword: {
      enabled: true,
      // Only invitations create accounts.
      disableSignUp: true,
      minPasswordLength: consoleLimits.passwordLengthMin,
      // Better Auth counts UTF-16 units, and a character may have two.
      maxPasswordLength: 2 * consoleLimits.passwordLengthMax,
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: ({ user }) => settings.onPasswordReset(user.id),
      password: {
        hash: hasher.hash,
        verify: ({ hash, password }) => hasher.verify(password, hash),
      },
    },
    user: { additionalFields: { isOperator: { type: "boolean", input: false, defaultValue: false } } },
    session: {
      expiresIn: consoleLimits.sessionDays * daySeconds,
      additionalFields: {
        confirmedAt: { type: "date", input: false, required: false, returned: false },
        signInMethod: { type: "string", input: false, required: false },
        hasSecondFactor: { type: "boolean", input: false, required: false },
      },
      // The console itself extends sessions and asks for the password again.
      disableSessionRefresh: true,
      freshAge: 0,
      // The next call of an ended session must be refused.
      cookieCache: { enabled: false },
    },
    databaseHooks: {
      session: {
        create: {
          before: async (_, call) => {
            const replaced = call?.context.session?.session;
            const signedIn = signedInBy(call?.path, replaced);
            return {
              data: {
                confirmedAt: await confirmedAt(call?.path, settings.currentCall()),
                ...signedIn,
                ...(signedIn.signInMethod === "single_sign_on" &&
                  lifetimeOf(call?.path, replaced, settings.singleSignOnHours)),
              },
            };
          },
        },
      },
    },
    verification: { storeIdentifier: "hashed" },
    account: {
      accountLinking: {
        enabled: true,
        // An address from a provider counts only where the provider says that it verified it.
        trustedProviders: [],
        // An account whose address was never verified is taken over: see better-auth.store.ts.
        requireLocalEmailVerified: false,
      },
    },
    rateLimit: { enabled: false },
    advanced: {
      // Browsers enforce what the prefix says: HTTPS only, this host only, every path.
      cookiePrefix: "__Host-commonplace",
      useSecureCookies: false,
      defaultCookieAttributes: { secure: true, httpOnly: true, sameSite: "lax", path: "/" },
      // Otherwise off under NODE_ENV=test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [clientHeader], ipv6Subnet: 128 },
      backgroundTasks: { handler: (task) => void task.catch(settings.onFailure) },
    },
    plugins: [
      passkey({
        rpID: new URL(origin).hostname,
        rpName: name,
        origin,
        authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
        registration: {
          afterVerification: ({ verification }) => requireUserVerified(verification.registrationInfo?.userVerified),
        },
        authentication: {
          afterVerification: ({ verification }) => requireUserVerified(verification.authenticationInfo.userVerified),
        },
      }),
      // Five codes for each unfinished sign-in, then the password again. Nobody can lock the account of another person.
      twoFactor({
        issuer: name,
        accountLockout: { enabled: false },
        allowPasswordless: true,
        backupCodeOptions: { storeBackupCodes: storedRecoveryCodes(settings.secret) },
      }),
      ...(openId ? [genericOAuth({ config: [providerOf(openId, settings.currentCall)] })] : []),
    ],
  });
};

/** A passkey replaces both factors, so its owner must also show a PIN, a finger or a face. */
function requireUserVerified(isVerified: boolean | undefined): void {
  if (!isVerified)
    throw new APIError("FORBIDDEN", {
      code: "USER_NOT_VERIFIED",
      message:
        "This passkey did not verify your identity. Set up a PIN, fingerprint, or face recognition for it, or sign in with your password",
    });
}

/** When the person of a new session last signed in; null where that is not known. */
async function confirmedAt(path: string | undefined, call: BetterAuthCall | undefined): Promise<Date | null> {
  if (path !== openIdCallback) return new Date();
  // The provider sends back a person who is signed in there without asking, so the moment of that sign-in counts.
  const seconds = call?.authTime;
  if (typeof seconds === "number" && seconds > 0) return new Date(Math.min(seconds * 1_000, Date.now()));
  // A provider that does not report the time has asked just now, if we required it to.
  return (await getOAuthState())?.again === true ? new Date() : null;
}

interface SignedInBy {
  readonly signInMethod: SessionRow["sign_in_method"];
  readonly hasSecondFactor: boolean;
}

/** How the person of a new session signed in. A session that replaces another one, such as after a new password, takes over what is known. */
function signedInBy(path: string | undefined, replaced: Readonly<Record<string, unknown>> | undefined): SignedInBy {
  switch (path) {
    case openIdCallback:
      return { signInMethod: "single_sign_on", hasSecondFactor: false };
    case "/passkey/verify-authentication":
      return { signInMethod: "passkey", hasSecondFactor: true };
    case "/sign-in/email":
      return { signInMethod: "password", hasSecondFactor: false };
  }
  const isCode = path === "/two-factor/verify-totp" || path === "/two-factor/verify-backup-code";
  return {
    // Only this function and the default of the column write it.
    signInMethod: (replaced?.signInMethod as SignedInBy["signInMethod"] | undefined) ?? "password",
    hasSecondFactor: isCode || replaced?.hasSecondFactor === true,
  };
}

/** When a session of single sign-on begins and ends. One that replaces another does not last longer: nobody asked the provider. */
function lifetimeOf(path: string | undefined, replaced: { readonly createdAt: Date } | undefined, hours: number) {
  const createdAt = path === openIdCallback || !replaced ? new Date() : new Date(replaced.createdAt);
  return { createdAt, expiresAt: new Date(createdAt.getTime() + hours * hourMilliseconds) };
}

const providerOf = (
  { issuer, clientId, clientSecret }: OpenIdSettings,
  currentCall: BetterAuthSettings["currentCall"],
): GenericOAuthConfig => ({
  providerId: openIdProvider,
  discoveryUrl: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
  // With headers of our own, redirects to another origin are not followed.
  discoveryHeaders: { accept: "application/json" },
  clientId,
  clientSecret,
  scopes: ["openid", "email", "profile"],
  pkce: true,
  requireIdTokenVerification: true,
  // Only invited people have an account.
  disableSignUp: true,
  // The only place where Better Auth passes on the ID token, which it has verified by now.
  accountSubject: ({ tokens, profile }) => {
    const claims = tokens.idToken === undefined ? profile : claimsOf(tokens.idToken);
    const call = currentCall();
    if (call) call.authTime = claims.auth_time;
    // A subject means one person only at its own issuer.
    return `${issuer.replace(/\/$/, "")} ${String(claims.sub)}`;
  },
});

const claimsOf = (idToken: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString());
