// The refusals of the console API. Those of the public API are in `contract/errors.ts`.
import { Refusal, type RefusalDetails } from "../errors.ts";
import type { SignInLack } from "./sign-in-policies.ts";

/** The request contradicts the current state. */
const conflict = (code: string, message: string, details?: RefusalDetails) =>
  new Refusal("conflict", code, message, details);

/** What a sign-in lacks, and how to get it. */
interface Lack {
  readonly needs: string;
  readonly remedy: string;
  /** What is missing, to the person who would shut themselves out, and what they can do about it. */
  readonly lack: string;
  readonly ownRemedy?: string;
}

/** @param provider the name of the OpenID provider */
const lackTexts: Readonly<Record<SignInLack, (provider: string) => Lack>> = {
  second_factor: () => ({
    needs: "two-factor authentication or a passkey",
    remedy: "Set one up on your account page",
    lack: "your account has no second factor",
  }),
  second_factor_sign_in: () => ({
    needs: "a sign-in with two-factor authentication or a passkey",
    remedy: "Sign out, then sign in again with your second factor",
    lack: "you signed in without your second factor",
  }),
  single_sign_on: (provider) => ({
    needs: "single sign-on",
    remedy: `Sign out, then sign in with ${provider}`,
    lack: `you did not sign in with ${provider}`,
    ownRemedy: "Sign out, sign in with it, and try again",
  }),
  second_factor_or_single_sign_on: (provider) => ({
    needs: "two-factor authentication, a passkey, or single sign-on",
    remedy: `Set up a second factor on your account page, or sign out and sign in with ${provider}`,
    lack: `your account has no second factor, and you did not sign in with ${provider}`,
  }),
  second_factor_or_single_sign_on_sign_in: (provider) => ({
    needs: "a sign-in with two-factor authentication, a passkey, or single sign-on",
    remedy: `Sign out, then sign in with your second factor or with ${provider}`,
    lack: `you signed in without your second factor and without ${provider}`,
  }),
};

const lackOf = (lack: SignInLack, provider = "single sign-on"): Lack => lackTexts[lack](provider);

const inSeconds = (count: number): string => `${count} ${count === 1 ? "second" : "seconds"}`;

const inHours = (seconds: number): string => {
  const hours = Math.ceil(seconds / 3_600);
  return hours === 1 ? "1 hour" : `${hours} hours`;
};

export const consoleErrors = {
  otherAddress: (origin: string) =>
    new Refusal(
      "misdirected",
      "other_address",
      `The console is at ${origin}/console. To use another address, set COMMONPLACE_URL`,
    ),
  signInRequired: () => new Refusal("unauthenticated", "sign_in_required", "Sign in to continue"),
  tokenInvalid: () => new Refusal("unauthenticated", "invalid_token", "Invalid or expired access token"),
  /** They may have been removed at the provider. */
  tokenOwnerAway: (days: number) =>
    new Refusal(
      "unauthenticated",
      "token_owner_away",
      `The owner of this access token has not used single sign-on for ${days === 1 ? "1 day" : `${days} days`}. To make the token work again, they must sign in with single sign-on`,
    ),
  tokenNotAllowed: () =>
    new Refusal("forbidden", "token_not_allowed", "Access tokens cannot do this. Sign in to the console instead"),
  tokenScopeMissing: (area: string, level: "read" | "write") =>
    new Refusal("forbidden", "token_scope_missing", `This access token does not have ${level} access to: ${area}`),
  otherOrigin: () => new Refusal("forbidden", "other_origin", "Only the console's own pages can send this request"),
  notJson: () => new Refusal("invalid", "not_json", "Send the request body as application/json"),
  notFile: () => new Refusal("invalid", "not_a_file", "Send the file as application/octet-stream"),
  forbidden: () => new Refusal("forbidden", "forbidden", "You do not have permission to do this"),
  teamForbidden: () => new Refusal("forbidden", "team_forbidden", "You do not have permission to do this in this team"),
  /** `current` is what an editor needs to show both sides. */
  changedMeanwhile: (current?: object) =>
    conflict(
      "changed_meanwhile",
      "Someone changed this after you opened it. Nothing was overwritten",
      current && { current },
    ),
  movedMeanwhile: () => conflict("moved_meanwhile", "Someone has moved this snippet since"),
  confirmationRequired: () => new Refusal("forbidden", "confirmation_required", "Confirm your password to continue"),
  /** The workspace's sign-in policy does not accept this sign-in. */
  signInLacks: (lack: SignInLack, provider: string | undefined) => {
    const { needs, remedy } = lackOf(lack, provider);
    return new Refusal("forbidden", `${lack}_required`, `This workspace requires ${needs}. ${remedy}`);
  },
  tokenOwnerLacks: (lack: SignInLack) =>
    new Refusal(
      "forbidden",
      `${lack}_required`,
      `This workspace requires ${lackOf(lack).needs}. The owner of this access token does not meet this requirement`,
    ),
  ownSignInLacks: (lack: SignInLack, provider: string | undefined) => {
    const { lack: missing, remedy, ownRemedy = `${remedy}, then try again` } = lackOf(lack, provider);
    return conflict("own_sign_in", `You would lock yourself out: ${missing}. ${ownRemedy}`);
  },
  noSingleSignOn: () => conflict("no_single_sign_on", "Single sign-on is not set up on this service"),
  workspaceDeleted: (removalDay: string) =>
    new Refusal(
      "forbidden",
      "workspace_deleted",
      `This workspace was deleted and will be removed on ${removalDay}. Until then, an owner can restore it`,
    ),
  notDeleted: (noun: "workspace" | "team") => conflict("not_deleted", `This ${noun} is not deleted`),
  onlyOwner: (workspaces: readonly string[]) =>
    conflict(
      "only_owner",
      `This account is the only owner of: ${workspaces.join(", ")}. Make another member an owner, or delete the workspace, then try again`,
    ),
  noWebhook: () => conflict("no_webhook", "Add a webhook first"),
  webhookPrivate: () =>
    new Refusal(
      "invalid",
      "webhook_private",
      "That address is on a private network. Use a public one, or ask an operator to add the host to COMMONPLACE_WEBHOOK_HOSTS",
    ),
  deliveryWaiting: () => conflict("delivery_waiting", "This delivery is already waiting to be sent"),
  wrongEmail: () => new Refusal("invalid", "wrong_email", "Enter the email address of your account"),
  wrongName: (noun: "workspace" | "team") =>
    new Refusal("invalid", "wrong_name", `Enter the name of the ${noun} exactly as it is shown`),
  removalBegun: () => conflict("removal_begun", "It is too late to restore this workspace"),
  accountDisabled: () =>
    new Refusal(
      "forbidden",
      "account_disabled",
      "This account is disabled. Ask the operator of this service to enable it",
    ),
  ownAccount: () => conflict("own_account", "You cannot do this to your own account. Ask another operator"),
  emailUnverified: () =>
    new Refusal(
      "forbidden",
      "email_unverified",
      "Verify your email address first. On your account page, select “Send verification email”, then open the link in the email",
    ),
  emailVerified: () => conflict("email_verified", "Your email address is already verified"),
  noEmail: () =>
    conflict(
      "no_email",
      "This service does not send email, so it cannot verify your address. Ask the operator to set up email",
    ),
  passwordWeak: () =>
    new Refusal(
      "invalid",
      "password_weak",
      "This password is easy to guess. Use a longer one, without your name, your email address, or the name of this product",
    ),
  passwordRequired: () => new Refusal("forbidden", "password_required", "Enter your current password"),
  passwordWrong: () => new Refusal("forbidden", "password_wrong", "Incorrect password"),
  noPassword: () => new Refusal("invalid", "no_password", "Your account has no password. Sign in again instead"),
  /** `noun` in lower case: key, team, member. The message is the same for what does not exist and what the caller may not see. */
  notFound: (noun: string, id?: string) =>
    new Refusal(
      "not_found",
      `${noun.replaceAll(" ", "_")}_not_found`,
      `${noun.charAt(0).toUpperCase()}${noun.slice(1)} not found`,
      id === undefined ? {} : { id },
    ),
  ownRole: () => conflict("own_role", "You cannot change your own role. Ask another owner or admin"),
  lastOwner: () => conflict("last_owner", "A workspace needs at least one owner. Make another member an owner first"),
  alreadyMember: () => conflict("already_member", "A member with this email address already exists"),
  tooMany: (noun: "key" | "team" | "member", most: number) =>
    conflict(
      `too_many_${noun}s`,
      `This workspace has ${most.toLocaleString("en-US")} ${noun === "key" ? "API key" : noun}s, the maximum`,
    ),
  tooManyInvitations: (most: number) =>
    conflict(
      "too_many_invitations",
      `This workspace has ${most} pending invitations, the maximum. Revoke one, then try again`,
    ),
  tooManyInvitationMails: (most: number, retryAfterSeconds: number) =>
    new Refusal(
      "rate_limited",
      "too_many_invitation_emails",
      `This workspace sent ${most} invitations by email in the last 24 hours, the maximum. Try again in ${inHours(retryAfterSeconds)}`,
      { retryAfterSeconds },
    ),
  tooManyInvitationsTo: (most: number, retryAfterSeconds: number) =>
    new Refusal(
      "rate_limited",
      "too_many_invitation_emails",
      `This address was sent ${most} invitations in the last 24 hours, the maximum. Try again in ${inHours(retryAfterSeconds)}`,
      { retryAfterSeconds },
    ),
  /** The invited address has an account, and the person who opened the invitation is not signed in. */
  accountExists: (email: string | null) =>
    conflict("account_exists", `${email} already has an account. Sign in to accept the invitation`),
  /** The invitation is for another account than the one that is signed in. */
  otherAccount: (email: string | null) =>
    conflict("other_account", `This invitation is for ${email}. Sign out, then sign in with that address`),
  tooManyTokens: (most: number) =>
    conflict("too_many_tokens", `You have ${most} access tokens, the maximum. Revoke one, then try again`),
  examplesLoaded: () =>
    conflict(
      "examples_loaded",
      "The examples were already loaded into this team. Remove them first to load them again",
    ),
  keyActive: () => conflict("key_active", "An active API key cannot be deleted. Deactivate it first"),
  /** Refuses a purchase. Requests of the public API are refused by `errors.subscriptionInactive`. */
  subscriptionInactive: () =>
    conflict(
      "subscription_inactive",
      "You cannot buy a package while the subscription is inactive. Ask the operator to activate it",
    ),
  billingOff: () => conflict("billing_off", "Billing is off on this service"),
  creditExceeded: (price: string, remaining: string, limit: string) =>
    conflict(
      "credit_exceeded",
      `The package costs ${price}, but only ${remaining} of this workspace's ${limit} credit limit is left. Ask the operator of this service to raise the limit or to record payments`,
    ),
  purchaseIdUsed: () => conflict("purchase_id_used", "This purchaseId was already used for another package"),
  paidBefore: (purpose: "package" | "invoice") =>
    conflict("paid_before", `This ${purpose} is already recorded as paid, with another payment reference`),
  paymentFailed: () => conflict("payment_failed", "This payment failed. Buy the package again"),
  nothingDue: () => conflict("nothing_due", "Nothing is due on this invoice"),
  referenceUsed: () => conflict("reference_used", "This payment reference is already recorded for another payment"),
  paymentReferenceUsed: (reference: string) =>
    conflict("payment_reference_used", "This payment reference was already used for another workspace or package", {
      id: reference,
    }),
  paymentProviderFailed: (isRetryable: boolean) =>
    new Refusal(
      "bad_gateway",
      "payment_provider_failed",
      isRetryable
        ? "The payment provider did not respond. You were not charged. Try again"
        : "The payment provider rejected the payment. You were not charged",
    ),
  signatureInvalid: () => new Refusal("invalid", "invalid_signature", "The signature is invalid or too old"),
  /** The same for an unknown address and for a wrong password. */
  signInRefused: () => new Refusal("unauthenticated", "sign_in_refused", "Incorrect email address or password"),
  codeUsed: () => new Refusal("unauthenticated", "code_used", "This code was already used. Wait for the next one"),
  tooManyCodes: (retryAfterSeconds: number) =>
    new Refusal(
      "rate_limited",
      "too_many_codes",
      `Too many incorrect codes. Use a passkey or a recovery code, or try again in ${inSeconds(retryAfterSeconds)}`,
      { retryAfterSeconds },
    ),
  codesStopped: () =>
    new Refusal(
      "forbidden",
      "codes_stopped",
      "Too many incorrect codes. This account no longer accepts codes from an app. Use a passkey or a recovery code",
    ),
  signInBusy: (retryAfterSeconds: number) =>
    new Refusal("unavailable", "busy", `Too many people are signing in. Try again in ${inSeconds(retryAfterSeconds)}`, {
      retryAfterSeconds,
    }),
  openIdUnavailable: (retryAfterSeconds: number) =>
    new Refusal(
      "unavailable",
      "open_id_unavailable",
      "The single sign-on provider did not respond. Try again in a moment",
      {
        retryAfterSeconds,
      },
    ),
  openIdMisconfigured: () =>
    new Refusal(
      "bad_gateway",
      "open_id_misconfigured",
      "The single sign-on provider is not the one that this service expects. Ask the operator to check COMMONPLACE_OIDC_ISSUER",
    ),
  tooManyActs: (retryAfterSeconds: number) =>
    new Refusal(
      "rate_limited",
      "too_many_acts",
      `Too many requests in a short time. Try again in ${inSeconds(retryAfterSeconds)}`,
      { retryAfterSeconds },
    ),
  tooManyStreams: () =>
    new Refusal("rate_limited", "too_many_streams", "You have too many tabs open. Close one, then try again", {
      retryAfterSeconds: 60,
    }),
  tooManyAttempts: (retryAfterSeconds: number) =>
    new Refusal(
      "rate_limited",
      "too_many_attempts",
      `Too many attempts. Try again in ${inSeconds(retryAfterSeconds)}`,
      {
        retryAfterSeconds,
      },
    ),
} as const;
