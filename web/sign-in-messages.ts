// Messages for the error codes of Better Auth. Other errors carry their own message.
import { ApiError } from "./call.ts";

const messages: Readonly<Record<string, string>> = {
  invalid_code: "This code is not right. Look at the newest one and try again.",
  invalid_backup_code: "This recovery code is not right, or was used already.",
  invalid_two_factor_cookie: "This took too long. Give your password again.",
  too_many_attempts_request_new_code: "Too many codes that were not right. Give your password again.",
  invalid_password: "The password is not right.",
  invalid_token: "This link was used already, or its time is over.",
  password_too_short: "The new password is too short.",
  password_too_long: "The new password is too long.",
  passkey_not_found: "This passkey is not known here. Sign in with your password instead.",
  authentication_failed: "The passkey was not accepted. Try again, or sign in with your password.",
  challenge_not_found: "This took too long. Try again.",
  previously_registered: "This device has a passkey for your account already.",
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
    return "This browser could not use a passkey here.";
  }
  return "That did not work. Try again.";
}

/** The message for an error that the OpenID provider put into the address of the sign-in page. */
export const openIdMessage = (code: string, provider: string): string =>
  code === "signup_disabled" || code === "account_not_linked" || code === "unable_to_link_account"
    ? `There is no account here for the address that ${provider} knows you by. Ask to be invited with that address.`
    : code === "access_denied"
      ? `${provider} did not let you in.`
      : `Signing in with ${provider} did not work. Try again.`;
