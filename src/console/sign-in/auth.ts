// The sign-in library's settings, each for a reason. It is loaded by open.ts alone.
import { passkey } from "@better-auth/passkey";
import { APIError, getOAuthState } from "better-auth/api";
import { betterAuth } from "better-auth/minimal";
import { type GenericOAuthConfig, genericOAuth } from "better-auth/plugins/generic-oauth";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { OpenIdSettings } from "../../config.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Hasher } from "../../platform/secrets/password-hashing.ts";
import { daySeconds } from "../../platform/time.ts";
import type { Acting } from "./acts.ts";
import { authAdapter } from "./adapter.ts";
import { clientHeader } from "./request.ts";

export interface AuthSettings {
  /** https://host[:port] as people type it. */
  readonly origin: string;
  readonly secret: string;
  readonly hasher: Hasher;
  readonly openId: OpenIdSettings | undefined;
  /** What failed inside, of which the answer only says that something did. */
  readonly onFailure: (cause: unknown) => void;
  readonly onPasswordReset: (personId: string) => Promise<void>;
  /** What is known of the call that the library is in. */
  readonly asked: () => Asked | undefined;
}

/** A call of the library. */
export interface Asked extends Acting {
  /** The door has seen that the password was given: it is not asked for again. */
  readonly isConfirmed: boolean;
  failure: unknown;
  /** When the person last showed the OpenID provider who they are, in its words: seconds, where it says so. */
  authTime: unknown;
}

const authPath = "/console/auth";
/** The library's name for the one provider there may be. */
const openIdProvider = "oidc";

const name = "Commonplace";

export const openAuth = (database: Database, settings: AuthSettings) => {
  const { origin, hasher, openId } = settings;
  return betterAuth({
    appName: name,
    baseURL: origin,
    basePath: authPath,
    secret: settings.secret,
    trustedOrigins: [origin],
    database: authAdapter(database, settings.asked),
    telemetry: { enabled: false },
    // It writes addresses and whole errors; what matters of them is told by the door.
    logger: { disabled: true },
    onAPIError: { errorURL: `${origin}/console/sign-in`, onError: settings.onFailure },
    emailAndPassword: {
      enabled: true,
      // Accounts are made by invitation alone.
      disableSignUp: true,
      minPasswordLength: consoleLimits.passwordLengthMin,
      // It counts UTF-16 units, of which a character may have two.
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
      additionalFields: { confirmedAt: { type: "date", input: false, required: false, returned: false } },
      // The console's own gate lets a session go on, and asks for the password again.
      disableSessionRefresh: true,
      freshAge: 0,
      // A session that was ended must be refused by the next call.
      cookieCache: { enabled: false },
    },
    databaseHooks: {
      session: {
        create: {
          before: async (_, call) => ({ data: { confirmedAt: await confirmedAt(call?.path, settings.asked()) } }),
        },
      },
    },
    verification: { storeIdentifier: "hashed" },
    account: {
      accountLinking: {
        enabled: true,
        // A provider's word for an address counts only where it says that it checked it: nobody is trusted beyond that.
        trustedProviders: [],
        // An address of ours that was never confirmed is taken over: see the adapter.
        requireLocalEmailVerified: false,
      },
    },
    rateLimit: { enabled: false },
    advanced: {
      // The name says what browsers then hold to: HTTPS only, this host only, every path.
      cookiePrefix: "__Host-commonplace",
      useSecureCookies: false,
      defaultCookieAttributes: { secure: true, httpOnly: true, sameSite: "lax", path: "/" },
      // Off under NODE_ENV=test otherwise.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [clientHeader], ipv6Subnet: 128 },
      backgroundTasks: { handler: (task) => void task.catch(settings.onFailure) },
    },
    plugins: [
      passkey({
        ...{ rpID: new URL(origin).hostname, rpName: name, origin },
        authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
        registration: {
          afterVerification: ({ verification }) => requireUserVerified(verification.registrationInfo?.userVerified),
        },
        authentication: {
          afterVerification: ({ verification }) => requireUserVerified(verification.authenticationInfo.userVerified),
        },
      }),
      // Five codes for each half-finished sign-in, and then the password again; but nobody locks another's account.
      twoFactor({ issuer: name, accountLockout: { enabled: false }, allowPasswordless: true }),
      ...(openId ? [genericOAuth({ config: [providerOf(openId, settings.asked)] })] : []),
    ],
  });
};

/** A passkey stands for both steps, so who holds it must have shown more than that: a PIN, a finger, a face. */
function requireUserVerified(isVerified: boolean | undefined): void {
  if (!isVerified)
    throw new APIError("FORBIDDEN", {
      code: "USER_NOT_VERIFIED",
      message: "The passkey did not ask for a PIN, a finger or a face: set one up for it, or sign in with the password",
    });
}

/** When whoever begins a session has shown who they are; null where that is not known. */
async function confirmedAt(path: string | undefined, asked: Asked | undefined): Promise<Date | null> {
  if (path !== "/callback/:id") return new Date();
  // Who is signed in at the provider comes back at once: what counts is when they signed in there.
  const seconds = asked?.authTime;
  if (typeof seconds === "number" && seconds > 0) return new Date(Math.min(seconds * 1_000, Date.now()));
  // A provider that does not say when is believed to have asked, where it was told to.
  return (await getOAuthState())?.again === true ? new Date() : null;
}

const providerOf = (
  { issuer, clientId, clientSecret }: OpenIdSettings,
  asked: AuthSettings["asked"],
): GenericOAuthConfig => ({
  providerId: openIdProvider,
  discoveryUrl: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
  clientId,
  clientSecret,
  scopes: ["openid", "email", "profile"],
  pkce: true,
  requireIdTokenVerification: true,
  // Who was not invited stays outside.
  disableSignUp: true,
  // The one place where the library shows the ID token, which it has verified by now.
  accountSubject: ({ tokens, profile }) => {
    const claims = tokens.idToken === undefined ? profile : claimsOf(tokens.idToken);
    const call = asked();
    if (call) call.authTime = claims.auth_time;
    return String(claims.sub);
  },
});

const claimsOf = (idToken: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString());
