// In place of a workspace whose sign-in policy does not accept this sign-in: what is missing, and how to get it.
import { useState } from "react";
import { useLocation } from "wouter";
import { signInAddress } from "../address.ts";
import { callAuth, useConsoleQuery } from "../api.ts";
import { Button, ButtonLink, EmptyState, FormError, PageHeader } from "../components/index.ts";
import type { SignInLack } from "../workspace.tsx";

export function SignInRequired({ lack, workspaceName }: { lack: SignInLack; workspaceName: string | undefined }) {
  const Missing = pages[lack];
  return (
    <>
      <PageHeader title={workspaceName ?? "Sign-in required"} />
      <Missing />
    </>
  );
}

const SecondFactorMissing = () => (
  <EmptyState
    icon="lock"
    title="This workspace requires two-factor authentication"
    action={
      <ButtonLink href="/account" variant="primary">
        Go to your account
      </ButtonLink>
    }
  >
    Turn on two-factor authentication, or add a passkey, on your account page. Then you can open this workspace.
  </EmptyState>
);

const SecondFactorNotShown = () => (
  <EmptyState icon="lock" title="This workspace requires two-factor authentication" action={<SignInAgain />}>
    You signed in without your second factor. Sign in again with a passkey, or with your password and a code.
  </EmptyState>
);

const SingleSignOnMissing = () => {
  const provider = useProvider();
  return (
    <EmptyState
      icon="lock"
      title="This workspace requires single sign-on"
      action={provider && <SignInAtProvider provider={provider} />}
    >
      {provider === null
        ? "Single sign-on isn’t set up on this service. Ask the operator to set it up, or to change the sign-in policy."
        : `Sign in with ${provider ?? "single sign-on"} to open this workspace. If you can’t, contact an owner of this workspace.`}
    </EmptyState>
  );
};

/** One of two ways is enough, and neither was shown. */
const EitherMissing = ({ hasFactor }: { hasFactor: boolean }) => {
  const provider = useProvider();
  const way = hasFactor
    ? "Sign in again with a passkey, or with your password and a code"
    : "Turn on two-factor authentication or add a passkey on your account page";
  return (
    <EmptyState
      icon="lock"
      title="This workspace requires two-factor authentication or single sign-on"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {hasFactor ? (
            <SignInAgain />
          ) : (
            <ButtonLink href="/account" variant="primary">
              Go to your account
            </ButtonLink>
          )}
          {provider && <SignInAtProvider provider={provider} variant="plain" />}
        </div>
      }
    >
      {provider ? `${way}, or sign in with ${provider}.` : `${way}.`}
    </EmptyState>
  );
};

/** The name of the provider: undefined until it is known, null without one. */
const useProvider = (): string | null | undefined => useConsoleQuery("getSignIn").data?.data.open_id;

function SignInAgain() {
  const [address] = useLocation();
  const signInAgain = async () => {
    await callAuth("POST", "/sign-out").catch(() => {});
    location.assign(`/console${signInAddress(address, "again")}`);
  };
  return (
    <Button variant="primary" onClick={() => void signInAgain()}>
      Sign in again
    </Button>
  );
}

function SignInAtProvider({ provider, variant = "primary" }: { provider: string; variant?: "primary" | "plain" }) {
  const [error, setError] = useState<unknown>();
  const signIn = async () => {
    setError(undefined);
    try {
      const { url } = await callAuth<{ url: string }>("POST", "/sign-in/social");
      location.assign(url);
    } catch (cause) {
      setError(cause);
    }
  };
  return (
    <div className="grid gap-3">
      <Button variant={variant} onClick={() => void signIn()}>
        Sign in with {provider}
      </Button>
      <FormError error={error} />
    </div>
  );
}

const pages = {
  second_factor: SecondFactorMissing,
  second_factor_sign_in: SecondFactorNotShown,
  single_sign_on: SingleSignOnMissing,
  second_factor_or_single_sign_on: () => <EitherMissing hasFactor={false} />,
  second_factor_or_single_sign_on_sign_in: () => <EitherMissing hasFactor />,
} as const satisfies Record<SignInLack, () => unknown>;
