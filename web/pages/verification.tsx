// The page of an emailed link that verifies the address of an account.
import { useQueryClient } from "@tanstack/react-query";
import { useConsoleMutation, useConsoleQuery } from "../api.ts";
import { Button, ButtonLink, FormError, Loading, Notice } from "../components/index.ts";
import { IncompleteLink } from "./signed-out/incomplete-link.tsx";
import { useLinkToken } from "./signed-out/link-token.ts";
import { SignInForm } from "./signed-out/sign-in-form.tsx";
import { SignedOutPage } from "./signed-out/signed-out-page.tsx";

export default function Verification() {
  const token = useLinkToken();
  if (token === "") return <IncompleteLink />;
  return (
    <SignedOutPage title="Verify your email address">
      <Verify token={token} />
    </SignedOutPage>
  );
}

/** Only the account that requested the link can use it, so that nobody verifies an address for somebody else. */
function Verify({ token }: { token: string }) {
  const queryClient = useQueryClient();
  const sessionQuery = useConsoleQuery("getSession");
  const person = sessionQuery.error ? undefined : sessionQuery.data?.data.person;
  const verify = useConsoleMutation("putEmailVerification");
  if (sessionQuery.isPending) return <Loading />;
  if (!person)
    return (
      <>
        <p>Sign in to the account that requested this link.</p>
        <SignInForm onDone={() => void queryClient.resetQueries({ queryKey: ["getSession"] })} />
      </>
    );
  if (verify.isSuccess)
    return (
      <>
        <div role="status">
          <Notice tone="good">
            <p>
              <span className="wrap-anywhere">{person.email}</span> is verified.
            </p>
          </Notice>
        </div>
        <ButtonLink href="/account" variant="primary">
          Go to your account
        </ButtonLink>
      </>
    );
  return (
    <>
      <p className="wrap-anywhere">
        You’re signed in as {person.name} ({person.email}).
      </p>
      <FormError error={verify.error} />
      <Button variant="primary" isBusy={verify.isPending} onClick={() => verify.mutate({ body: { token } })}>
        Verify email address
      </Button>
    </>
  );
}
