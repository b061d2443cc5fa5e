// The refusals of the console that the interface's own operations do not have.
import { ApiError } from "../errors.ts";

export const consoleErrors = {
  otherAddress: (origin: string) =>
    new ApiError(
      421,
      "other_address",
      `The console is at ${origin}/console. The operator can name another address with COMMONPLACE_URL`,
    ),
  signInRequired: () => new ApiError(401, "sign_in_required", "Sign in first"),
  tokenInvalid: () => new ApiError(401, "invalid_token", "Invalid or expired access token"),
  tokenNotAllowed: () => new ApiError(403, "token_not_allowed", "An access token can not do this"),
  tokenReadsOnly: () => new ApiError(403, "token_reads_only", "This access token may only read"),
  otherOrigin: () => new ApiError(403, "other_origin", "The call does not come from the console's own pages"),
  notJson: () => new ApiError(400, "not_json", "The request body must be sent as application/json"),
  forbidden: () => new ApiError(403, "forbidden", "Your role does not allow this"),
  confirmationRequired: () => new ApiError(403, "confirmation_required", "Give your password again first"),
  passwordWrong: () => new ApiError(403, "password_wrong", "The password is not right"),
  noPassword: () => new ApiError(400, "no_password", "This account has no password: sign in again instead"),
  /** `noun` in lower case: key, team, member. Whatever is not there, or not to be seen, says the same. */
  notFound: (noun: string) =>
    new ApiError(
      404,
      `${noun.replaceAll(" ", "_")}_not_found`,
      `${noun.charAt(0).toUpperCase()}${noun.slice(1)} not found`,
    ),
  /** What was asked does not go with how things stand now. */
  conflict: (code: string, message: string) => new ApiError(409, code, message),
  /** The same for an address that nobody has and for a password that is not right. */
  signInRefused: () => new ApiError(401, "sign_in_refused", "The e-mail address or the password is not right"),
  codeUsed: () => new ApiError(401, "code_used", "This code was used already: wait for the next one"),
  signInBusy: (retryAfterSeconds: number) =>
    new ApiError(503, "busy", `Too many people sign in at once. Try again in ${retryAfterSeconds} seconds`, {
      retryAfterSeconds,
    }),
  openIdUnavailable: (retryAfterSeconds: number) =>
    new ApiError(503, "open_id_unavailable", "The OpenID provider does not answer. Try again in a moment", {
      retryAfterSeconds,
    }),
  tooManyAttempts: (retryAfterSeconds: number) =>
    new ApiError(429, "too_many_attempts", `Too many attempts. Try again in ${retryAfterSeconds} seconds`, {
      retryAfterSeconds,
    }),
} as const;
