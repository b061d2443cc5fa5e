// Signing in at the console: passwords, second factors, passkeys and OpenID Connect, by Better Auth behind an allowlist of its calls.

import { openBetterAuth } from "../../accounts/sign-in/better-auth.ts";
import { hashSessionToken, newSessionToken } from "../../accounts/sign-in/session-token.ts";
import { openThrottle, type SignInThrottle } from "../../accounts/sign-in/throttle.ts";
import { toRefusal } from "../../platform/http/failure.ts";
import type { IncomingRequest } from "../../platform/http/receive.ts";
import { refusalResponse } from "../../platform/http/respond.ts";
import type { Respond } from "../../platform/http/routes.ts";
import { type Pause, wait } from "../../platform/jobs.ts";
import { PasswordHashing } from "../../platform/secrets/password-hashing.ts";
import type { SignInContext, SignInDependencies } from "./context.ts";
import { readSessionToken, type SessionCookie, writeSessionCookie } from "./cookie.ts";
import { handleSignInCall } from "./handle-call.ts";

export interface SignIn {
  /** The session cookie of a request; undefined where it has none that this instance signed. */
  readonly readSessionCookie: (request: IncomingRequest) => Promise<SessionCookie | undefined>;
  /** Makes the token of a new session: its hash for the database, its cookie for the browser. */
  readonly newSession: () => Promise<{ readonly tokenHash: string; readonly cookie: string }>;
  /** Answers a call below /console/auth. Never throws. */
  readonly respond: Respond;
  readonly hashing: PasswordHashing;
  readonly throttle: SignInThrottle;
  /** Loads Better Auth while the person is still typing. */
  readonly preload: () => void;
}

export function openSignIn(dependencies: SignInDependencies): SignIn {
  const context = makeContext(dependencies);
  const { hashing, throttle, betterAuth, instanceKey, report } = context;
  return {
    hashing,
    throttle,
    readSessionCookie: async (request) => {
      const header = request.header("cookie");
      if (header === null) return undefined;
      const secret = instanceKey;
      const token = readSessionToken(header, secret);
      return token === undefined ? undefined : { token, renewed: () => writeSessionCookie(token, secret) };
    },
    newSession: async () => {
      const token = newSessionToken();
      return { tokenHash: hashSessionToken(token), cookie: writeSessionCookie(token, instanceKey) };
    },
    respond: async (request, requestId) => {
      try {
        return await handleSignInCall(context, request, requestId);
      } catch (error) {
        return refusalResponse(toRefusal(error, requestId, report), requestId);
      }
    },
    preload: () => void betterAuth.preload().catch((cause: unknown) => report("", cause)),
  };
}

function makeContext(dependencies: SignInDependencies): SignInContext {
  const { config, database, origin, instanceKey, report, pause = inRealTime } = dependencies;
  const hashing = new PasswordHashing();
  const throttle = openThrottle(database, pause);
  const betterAuth = openBetterAuth({
    database,
    origin,
    openId: config.openId,
    singleSignOnHours: config.singleSignOn.sessionHours,
    hashing,
    instanceKey,
    pause,
    onFailure: (cause) => report("", cause),
  });
  return { ...dependencies, hashing, throttle, betterAuth, pause };
}

const inRealTime: Pause = (milliseconds) => wait(milliseconds, new AbortController().signal);
