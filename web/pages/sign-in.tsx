// The sign-in page.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useSearch } from "wouter";
import { addressAfterSignIn } from "../address.ts";
import { useConsoleQuery } from "../api.ts";
import { Loading, Notice } from "../components/index.ts";
import { openIdMessage } from "../sign-in-messages.ts";
import { ForgotPassword } from "./signed-out/forgot-password.tsx";
import { SetupPending } from "./signed-out/setup-pending.tsx";
import { SignInForm } from "./signed-out/sign-in-form.tsx";
import { SignedOutPage } from "./signed-out/signed-out-page.tsx";

export default function SignIn() {
  const search = useSearch();
  const [, navigate] = useLocation();
  const queryClient = useQueryClient();
  const [isForgotPassword, setIsForgotPassword] = useState(false);
  const { data, isPending, failureCount } = useConsoleQuery("getSignIn");
  const signInOptions = data?.data;
  const parameters = new URLSearchParams(search);
  const openIdError = parameters.get("error");
  const onSignedIn = () => {
    // The data of the person who was signed in before must not be shown.
    queryClient.clear();
    navigate(addressAfterSignIn(search));
  };
  if (isForgotPassword)
    return (
      <SignedOutPage title="Reset your password" lead="We’ll email you a link to set a new one.">
        <ForgotPassword onBack={() => setIsForgotPassword(false)} />
      </SignedOutPage>
    );
  // The form appears in one piece. If the options cannot be read, people can still enter a password.
  if (isPending && failureCount === 0)
    return (
      <SignedOutPage title="Sign in">
        <Loading />
      </SignedOutPage>
    );
  if (signInOptions?.is_set_up === false) return <SetupPending />;
  return (
    <SignedOutPage title="Sign in">
      {parameters.has("ended") && (
        <div role="status">
          <Notice>
            <p>Your session has ended. Sign in to pick up where you left off.</p>
          </Notice>
        </div>
      )}
      <SignInForm
        isReauthentication={parameters.has("again")}
        initialError={
          openIdError === null
            ? undefined
            : openIdMessage(openIdError, signInOptions?.open_id ?? "your identity provider")
        }
        onDone={onSignedIn}
        onForgotPassword={() => setIsForgotPassword(true)}
      />
    </SignedOutPage>
  );
}
