// The refusals of the console that the interface's own operations do not have.
import { Refusal, type RefusalDetails } from "../errors.ts";

/** What was asked contradicts the present state. */
const conflict = (code: string, message: string, details?: RefusalDetails) =>
  new Refusal("conflict", code, message, details);

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
  ownRole: () => conflict("own_role", "Nobody can change their own role: ask another owner or administrator"),
  lastOwner: () => conflict("last_owner", "A workspace keeps at least one owner: make somebody else an owner first"),
  alreadyMember: () => conflict("already_member", "Somebody with this address is a member already"),
  tooManyInvitations: (most: number) =>
    conflict("too_many_invitations", `${most} invitations are open: withdraw some of them first`),
  /** An invitation of an account's address, opened by a person who is not signed in. */
  accountExists: (email: string | null) =>
    conflict("account_exists", `Sign in as ${email} first: there is an account with this address`),
  /** An invitation of one account's address, opened by another account. */
  otherAccount: (email: string | null) =>
    conflict("other_account", `This invitation is for ${email}: sign out and sign in with that address`),
  tooManyTokens: (most: number) =>
    conflict("too_many_tokens", `You have ${most} access tokens: end some of them first`),
  keyActive: () => conflict("key_active", "An active key can not be deleted: deactivate it first"),
  /** The subscription of a workspace that buys a package. A call of the interface is refused by `errors.subscriptionInactive`. */
  subscriptionInactive: () =>
    conflict(
      "subscription_inactive",
      "The subscription is not active: no call could use the package before the month ends",
    ),
  purchaseIdUsed: () => conflict("purchase_id_used", "This purchaseId was used for another package"),
  paidBefore: (purpose: "package" | "invoice") =>
    conflict("paid_before", `This ${purpose} was recorded as paid before, with another reference`),
  paymentFailed: () => conflict("payment_failed", "This payment failed: the package has to be bought again"),
  nothingDue: () => conflict("nothing_due", "Nothing is due on this invoice"),
  referenceUsed: () => conflict("reference_used", "This reference was recorded for another payment"),
  paymentReferenceUsed: (reference: string) =>
    conflict("payment_reference_used", "This payment reference was already used for another workspace or package", {
      id: reference,
    }),
  paymentProviderFailed: (isRetryable: boolean) =>
    new Refusal(
      "bad_gateway",
      "payment_provider_failed",
      isRetryable
        ? "The payment provider does not answer. Nothing was paid: try again"
        : "The payment provider refused. Nothing was paid",
    ),
  signatureInvalid: () => new Refusal("invalid", "invalid_signature", "The signature is not right, or too old"),
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
