// The refusals of the console that the interface's own operations do not have.
import { Refusal } from "../errors.ts";

export const consoleErrors = {
  otherAddress: (origin: string) =>
    new Refusal(
      "misdirected",
      "other_address",
      `The console is at ${origin}/console. The operator can name another address with COMMONPLACE_URL`,
    ),
  signInRequired: () => new Refusal("unauthenticated", "sign_in_required", "Sign in first"),
  tokenInvalid: () => new Refusal("unauthenticated", "invalid_token", "Invalid or expired access token"),
  tokenNotAllowed: () => new Refusal("forbidden", "token_not_allowed", "An access token can not do this"),
  tokenReadsOnly: () => new Refusal("forbidden", "token_reads_only", "This access token may only read"),
  otherOrigin: () => new Refusal("forbidden", "other_origin", "The call does not come from the console's own pages"),
  notJson: () => new Refusal("invalid", "not_json", "The request body must be sent as application/json"),
  forbidden: () => new Refusal("forbidden", "forbidden", "Your role does not allow this"),
  confirmationRequired: () => new Refusal("forbidden", "confirmation_required", "Give your password again first"),
  passwordWrong: () => new Refusal("forbidden", "password_wrong", "The password is not right"),
  noPassword: () => new Refusal("invalid", "no_password", "This account has no password: sign in again instead"),
  /** `noun` in lower case: key, team, member. Whatever is not there, or not to be seen, says the same. */
  notFound: (noun: string, id?: string) =>
    new Refusal(
      "not_found",
      `${noun.replaceAll(" ", "_")}_not_found`,
      `${noun.charAt(0).toUpperCase()}${noun.slice(1)} not found`,
      id === undefined ? {} : { id },
    ),
  /** What was asked does not go with how things stand now. */
  conflict: (code: string, message: string) => new Refusal("conflict", code, message),
  keyActive: () => new Refusal("conflict", "key_active", "An active key can not be deleted: deactivate it first"),
  paymentReferenceUsed: (reference: string) =>
    new Refusal(
      "conflict",
      "payment_reference_used",
      "This payment reference was already used for another workspace or package",
      { id: reference },
    ),
  /** The same for an address that nobody has and for a password that is not right. */
  signInRefused: () =>
    new Refusal("unauthenticated", "sign_in_refused", "The e-mail address or the password is not right"),
  codeUsed: () => new Refusal("unauthenticated", "code_used", "This code was used already: wait for the next one"),
  signInBusy: (retryAfterSeconds: number) =>
    new Refusal("unavailable", "busy", `Too many people sign in at once. Try again in ${retryAfterSeconds} seconds`, {
      retryAfterSeconds,
    }),
  openIdUnavailable: (retryAfterSeconds: number) =>
    new Refusal("unavailable", "open_id_unavailable", "The OpenID provider does not answer. Try again in a moment", {
      retryAfterSeconds,
    }),
  tooManyAttempts: (retryAfterSeconds: number) =>
    new Refusal("rate_limited", "too_many_attempts", `Too many attempts. Try again in ${retryAfterSeconds} seconds`, {
      retryAfterSeconds,
    }),
} as const;
