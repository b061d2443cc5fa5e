// Messages for the error codes of Better Auth. Other errors carry their own message.
import { ApiError } from "./call.ts";
import { limits } from "./limits.ts";

const messages: Readonly<Record<string, string>> = {
  invalid_code: "That code is incorrect. Enter the latest code from your app.",
  invalid_backup_code: "That recovery code is incorrect or has already been used.",
  invalid_two_factor_cookie: "Sign-in timed out. Enter your password again.",
  too_many_attempts_request_new_code: "Too many incorrect codes. Enter your password again.",
  invalid_password: "Incorrect password. Try again.",
  invalid_token: "This link has already been used or has expired. Request a new one.",
  password_too_short: `The new password is too short. Use at least ${limits.passwordLengthMin} characters.`,
  password_too_long: `The new password is too long. Use at most ${limits.passwordLengthMax} characters.`,
  passkey_not_found: "This passkey isn’t registered here. Sign in with your password instead.",
  authentication_failed: "Couldn’t verify the passkey. Try again, or sign in with your password.",
  challenge_not_found: "The request timed out. Try again.",
  previously_registered: "This device already has a passkey for your account.",
};

/** True when the second factor must start again with the password. */
export const restartsSignIn = (error: unknown): boolean =>
  error instanceof ApiError && ["invalid_two_factor_cookie", "too_many_attempts_request_new_code"].includes(error.code);

/** The message for an error of signing in or of a passkey. Undefined when the person closed the browser's dialog. */
export function signInMessage(error: unknown): string | undefined {
  if (error === null || error === undefined) return undefined;
  if (error instanceof ApiError)
    return error.code === "cancelled" ? undefined : (messages[error.code] ?? error.message);
  if (error instanceof DOMException) {
    if (error.name === "NotAllowedError" || error.name === "AbortError") return undefined;
    if (error.name === "InvalidStateError") return messages.previously_registered;
    return "This browser couldn’t use a passkey here. Try another browser or sign in with your password.";
  }
  return "Something went wrong. Try again.";
}

/** The message for an error that the OpenID provider put into the address of the sign-in page. */
export const openIdMessage = (code: string, provider: string): string =>
  code === "signup_disabled"
    ? "No account here matches the email address from your identity provider. Ask an admin to invite you with that address."
    : code === "account_not_linked" || code === "unable_to_link_account"
      ? "Your identity provider hasn’t verified your email address. Verify it there, or sign in another way."
      : code === "access_denied"
        ? "Your identity provider denied the sign-in. Try again, or ask your administrator for access."
        : `Couldn’t sign in with ${provider}. Try again.`;
