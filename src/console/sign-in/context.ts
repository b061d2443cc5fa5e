// What the parts of signing in share.

import type { BetterAuth } from "../../accounts/sign-in/better-auth.ts";
import type { SignInObserver } from "../../accounts/sign-in/evidence.ts";
import type { SignInThrottle } from "../../accounts/sign-in/throttle.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../platform/database/database.ts";
import type { ReportFailure } from "../../platform/http/failure.ts";
import type { Pause } from "../../platform/jobs.ts";
import type { Log } from "../../platform/log.ts";
import type { PasswordHashing } from "../../platform/secrets/password-hashing.ts";

export interface SignInDependencies {
  readonly config: Config;
  readonly database: Database;
  readonly origin: string;
  readonly instanceKey: string;
  readonly log: Log;
  /** Undefined where metrics are off. */
  readonly signIns: SignInObserver | undefined;
  readonly pause: Pause | undefined;
  readonly report: ReportFailure;
}

export interface SignInContext extends SignInDependencies {
  readonly hashing: PasswordHashing;
  readonly throttle: SignInThrottle;
  readonly betterAuth: BetterAuth;
  readonly pause: Pause;
}
