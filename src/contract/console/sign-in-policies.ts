// Which sign-ins a workspace accepts, and what a sign-in can lack.

/** Any; with a second factor, for which a passkey counts too; only through the OpenID provider. */
export const signInPolicies = ["any", "second_factor", "single_sign_on"] as const;
export type SignInPolicy = (typeof signInPolicies)[number];

/** What is missing: a second factor, having signed in with the one that there is, or single sign-on. */
export const signInLacks = ["second_factor", "second_factor_sign_in", "single_sign_on"] as const;
export type SignInLack = (typeof signInLacks)[number];
