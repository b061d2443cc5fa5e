// What Better Auth receives in addition to the request of a call.
import type { AuditContext } from "./account-audit.ts";

/** The path of Better Auth's calls; its settings and the requests that we build agree on it. */
export const betterAuthPath = "/console/auth";
/** The header from which Better Auth reads the client's address. We set it, whatever the client sent. */
export const clientHeader = "x-commonplace-client";
/** Replaces a password that was checked already. It counts only in a call with `isConfirmed`. */
export const confirmedPassword = "confirmed";

/** A call of Better Auth. */
export interface BetterAuthCall extends AuditContext {
  /** The password was given a short time ago, so Better Auth does not ask for it again. */
  readonly isConfirmed: boolean;
  failure: unknown;
  /** When the person last signed in at the OpenID provider, in seconds; undefined where the provider does not say. */
  authTime: unknown;
}
