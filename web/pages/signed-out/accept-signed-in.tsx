// Accepts an invitation with an existing account.
import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { rememberWorkspace } from "../../address.ts";
import { callAuth, callConsole, useConsoleQuery, useCustomMutation } from "../../api.ts";
import { Button, FormError, Loading, Notice } from "../../components/index.ts";
import { signInMessage } from "../../sign-in-messages.ts";
import type { Preview } from "../invitation.tsx";
import { SignInForm } from "./sign-in-form.tsx";

/** Asks a person who is signed in with another address to sign in again. */
export function AcceptSignedIn({ token, preview }: { token: string; preview: Preview }) {
  const [, navigate] = useLocation();
  const queryClient = useQueryClient();
  const sessionQuery = useConsoleQuery("getSession");
  const session = sessionQuery.error ? undefined : sessionQuery.data?.data;
  const accept = useCustomMutation(
    async () => {
      const before = new Set(session?.memberships.map(({ workspace_id }) => workspace_id));
      await callConsole("postInvitationAcceptance", { body: { token } });
      const { data } = await callConsole("getSession");
      return data.memberships.find(({ workspace_id }) => !before.has(workspace_id))?.workspace_id;
    },
    (workspaceId) => {
      if (workspaceId !== undefined) rememberWorkspace(workspaceId);
      navigate("/");
    },
  );
  const signOut = useCustomMutation(() => callAuth("POST", "/sign-out"));

  if (sessionQuery.isPending) return <Loading />;
  if (!session)
    return (
      <>
        <Notice>
          <p>You already have an account with this email address. Sign in to accept the invitation.</p>
        </Notice>
        <SignInForm
          onDone={() => void queryClient.resetQueries({ queryKey: ["getSession"] })}
          {...(preview.email !== null && { email: preview.email })}
        />
      </>
    );
  if (session.person.email !== preview.email)
    return (
      <>
        <Notice tone="warn">
          <p>
            This invitation is for {preview.email}, but you’re signed in as {session.person.email}.
          </p>
        </Notice>
        <FormError error={signInMessage(signOut.error)} />
        <Button isBusy={signOut.isPending} onClick={() => signOut.mutate(undefined)}>
          Switch account
        </Button>
      </>
    );
  return (
    <>
      <p>
        You’re signed in as {session.person.name} ({session.person.email}).
      </p>
      <FormError error={accept.error} />
      <Button variant="primary" isBusy={accept.isPending} onClick={() => accept.mutate(undefined)}>
        Accept invitation
      </Button>
    </>
  );
}
