// The page of a link to set a password, of a new account or a forgotten one.
import { useState } from "react";
import { callAuth, useCustomMutation } from "../api.ts";
import { Button, ButtonLink, Form, FormError, Notice } from "../components/index.ts";
import { signInMessage } from "../sign-in-messages.ts";
import { IncompleteLink } from "./signed-out/incomplete-link.tsx";
import { useLinkToken } from "./signed-out/link-token.ts";
import { NewPasswordField } from "./signed-out/new-password.tsx";
import { SignedOutPage } from "./signed-out/signed-out-page.tsx";

export default function Password() {
  const token = useLinkToken();
  const [password, setPassword] = useState("");
  const change = useCustomMutation((newPassword: string) =>
    callAuth("POST", "/reset-password", { token, newPassword }),
  );
  const submit = () => change.mutate(password);
  if (token === "") return <IncompleteLink />;
  if (change.isSuccess)
    return (
      <SignedOutPage title="Password set">
        <div role="status">
          <Notice tone="good">
            <p>Earlier sessions and access tokens no longer work. Sign in with your new password.</p>
          </Notice>
        </div>
        <ButtonLink href="/sign-in" variant="primary">
          Sign in
        </ButtonLink>
      </SignedOutPage>
    );
  return (
    <SignedOutPage title="Set your password" lead="This link works once.">
      <Form isBusy={change.isPending} onSubmit={submit}>
        <NewPasswordField label="New password" value={password} onChange={setPassword} />
        <FormError error={signInMessage(change.error)} />
        <Button type="submit" variant="primary" isBusy={change.isPending}>
          Set password
        </Button>
      </Form>
    </SignedOutPage>
  );
}
