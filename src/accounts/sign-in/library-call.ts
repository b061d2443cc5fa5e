// What the sign-in library is told of a call beside its request.
import type { AuditContext } from "./account-audit.ts";

/** The path of the library's calls; its settings and the requests that we build agree on it. */
export const libraryPath = "/console/auth";
/** The header from which the library reads the client's address. We set it, whatever the client sent. */
export const clientHeader = "x-commonplace-client";
/** Replaces a password that was checked already. It counts only in a call with `isConfirmed`. */
export const confirmedPassword = "confirmed";

/** A call of the library. */
export interface LibraryCall extends AuditContext {
  /** The password was given a short time ago, so the library does not ask for it again. */
  readonly isConfirmed: boolean;
  failure: unknown;
  /** When the person last signed in at the OpenID provider, in seconds; undefined where the provider does not say. */
  authTime: unknown;
}
