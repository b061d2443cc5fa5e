// Which sign-ins a workspace accepts, and what a sign-in can lack.

/** Any; with a second factor, for which a passkey counts too; only through the OpenID provider; with one of the two. */
export const signInPolicies = ["any", "second_factor", "single_sign_on", "second_factor_or_single_sign_on"] as const;
export type SignInPolicy = (typeof signInPolicies)[number];

/**
 * What is missing: a second factor, having signed in with the one that there is, or single sign-on. Where one of the two is enough: either,
 * or having signed in with the second factor that there is, or through the provider.
 */
export const signInLacks = [
  "second_factor",
  "second_factor_sign_in",
  "single_sign_on",
  "second_factor_or_single_sign_on",
  "second_factor_or_single_sign_on_sign_in",
] as const;
export type SignInLack = (typeof signInLacks)[number];
