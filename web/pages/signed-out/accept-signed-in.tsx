import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { rememberWorkspace } from "../../address.ts";
import { callAuth, callConsole, useAct, useConsole } from "../../api.ts";
import { Button, FormError, Loading, Notice } from "../../components/index.ts";
import { signInMessage } from "../../sign-in-messages.ts";
import type { Preview } from "../invitation.tsx";
import { SignInForm } from "./sign-in-form.tsx";

/** Accepts an invitation with the account that there is already: who is signed in as another signs in first. */
export function JoinAsKnown({ token, preview }: { token: string; preview: Preview }) {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const session = useConsole("getSession");
  const known = session.error ? undefined : session.data?.data;
  const accept = useAct(
    async () => {
      const before = new Set(known?.memberships.map(({ workspace_id }) => workspace_id));
      await callConsole("postInvitationAcceptance", { body: { token } });
      const { data } = await callConsole("getSession");
      return data.memberships.find(({ workspace_id }) => !before.has(workspace_id))?.workspace_id;
    },
    (joined) => {
      if (joined !== undefined) rememberWorkspace(joined);
      go("/");
    },
  );
  const leave = useAct(() => callAuth("POST", "/sign-out"));

  if (session.isPending) return <Loading />;
  if (!known)
    return (
      <>
        <Notice>
          <p>There is an account with your address already. Sign in to accept the invitation.</p>
        </Notice>
        <SignInForm
          onDone={() => void queries.resetQueries({ queryKey: ["getSession"] })}
          {...(preview.email !== null && { email: preview.email })}
        />
      </>
    );
  if (known.person.email !== preview.email)
    return (
      <>
        <Notice tone="warn">
          <p>
            The invitation is for {preview.email}. You are signed in as {known.person.email}.
          </p>
        </Notice>
        <FormError error={signInMessage(leave.error)} />
        <Button isBusy={leave.isPending} onClick={() => leave.mutate(undefined)}>
          Sign in as another
        </Button>
      </>
    );
  return (
    <>
      <p>
        You are signed in as {known.person.name} ({known.person.email}).
      </p>
      <FormError error={accept.error} />
      <Button variant="primary" isBusy={accept.isPending} onClick={() => accept.mutate(undefined)}>
        Accept
      </Button>
    </>
  );
}
