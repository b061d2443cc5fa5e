// Accepts an invitation with a new account.
import { useState } from "react";
import { useLocation } from "wouter";
import { useConsoleMutation } from "../../api.ts";
import { Button, Form, FormError, TextField } from "../../components/index.ts";
import { limits } from "../../limits.ts";
import type { Preview } from "../invitation.tsx";
import { EmailField } from "./email-field.tsx";
import { NewPasswordField } from "./new-password.tsx";

/** The invitation determines the address; only the first administrator enters one. */
export function AcceptWithNewAccount({ token, preview }: { token: string; preview: Preview }) {
  const [, navigate] = useLocation();
  const [email, setEmail] = useState(preview.email ?? "");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const accept = useConsoleMutation("postInvitationAcceptance", {
    invalidates: ["getSession"],
    onSuccess: () => navigate("/"),
  });
  const isFirstAdministrator = preview.email === null;
  const submit = () => accept.mutate({ body: { token, name, password, ...(isFirstAdministrator && { email }) } });
  return (
    <Form isBusy={accept.isPending} onSubmit={submit}>
      <EmailField
        isReadOnly={!isFirstAdministrator}
        hasFocus={isFirstAdministrator}
        value={email}
        onChange={setEmail}
      />
      <TextField
        label="Your name"
        autoFocus={!isFirstAdministrator}
        autoComplete="name"
        required
        maxLength={limits.personNameLengthMax}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <NewPasswordField value={password} onChange={setPassword} />
      <FormError error={accept.error} />
      <Button type="submit" variant="primary" isBusy={accept.isPending}>
        {isFirstAdministrator ? "Create account" : "Accept and join"}
      </Button>
    </Form>
  );
}
