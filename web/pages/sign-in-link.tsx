// The page of the link that a trial instance prints: it signs in without asking for anything.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { ApiError, useConsoleMutation } from "../api.ts";
import { Button, ButtonLink, Loading } from "../components/index.ts";
import { IncompleteLink } from "./signed-out/incomplete-link.tsx";
import { useLinkToken } from "./signed-out/link-token.ts";
import { SignedOutPage } from "./signed-out/signed-out-page.tsx";

export default function SignInLink() {
  const token = useLinkToken();
  return token === "" ? <IncompleteLink /> : <Enter key={token} token={token} />;
}

function Enter({ token }: { token: string }) {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const signIn = useConsoleMutation("postSignInLink", {
    onSuccess: () => {
      // The data of the person who was signed in before must not be shown.
      queryClient.clear();
      navigate("/", { replace: true });
    },
  });
  const isSent = useRef(false);
  useEffect(() => {
    // The link works once, and React runs effects twice while a page is being developed.
    if (isSent.current) return;
    isSent.current = true;
    signIn.mutate({ body: { token } });
  }, [signIn, token]);
  if (!signIn.error)
    return (
      <SignedOutPage title="Signing in">
        <Loading />
      </SignedOutPage>
    );
  const isOver = signIn.error instanceof ApiError && signIn.error.status === 404;
  return isOver ? (
    <SignedOutPage
      title="This link is no longer valid"
      lead="It was used, or it has expired. Restart the service to get a new one."
    >
      <ButtonLink href="/">Go to the library</ButtonLink>
    </SignedOutPage>
  ) : (
    <SignedOutPage title="Couldn’t sign in" lead={signIn.error.message}>
      <Button onClick={() => signIn.mutate({ body: { token } })}>Try again</Button>
    </SignedOutPage>
  );
}
