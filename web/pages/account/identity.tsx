// The person's name and password.
import { useState } from "react";
import { callAuth, useConsoleMutation, useCustomMutation } from "../../api.ts";
import { Button, Card, Checkbox, Form, FormError, PasswordField, TextField, toast } from "../../components/index.ts";
import { limits } from "../../limits.ts";
import { signInMessage } from "../../sign-in-messages.ts";
import { usePerson } from "../../workspace.tsx";
import { NewPasswordField } from "../signed-out/new-password.tsx";

export function NameCard() {
  const person = usePerson();
  const [name, setName] = useState(person.name);
  const rename = useConsoleMutation("putPerson", { onSuccess: () => toast("Name changed") });
  const submit = () => rename.mutate({ body: { name } });
  return (
    <Card title="Name" description="Shown in member lists and audit logs.">
      <Form className="max-w-md" isBusy={rename.isPending} onSubmit={submit}>
        <TextField
          label="Your name"
          autoComplete="name"
          required
          maxLength={limits.personNameLengthMax}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <FormError error={rename.error} />
        <Button
          className="justify-self-start"
          type="submit"
          isBusy={rename.isPending}
          disabled={name === person.name || name.trim() === ""}
        >
          Save name
        </Button>
      </Form>
    </Card>
  );
}

export function PasswordCard() {
  const { email } = usePerson();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [keepsTokens, setKeepsTokens] = useState(false);
  const change = useCustomMutation(
    () => callAuth("POST", "/change-password", { currentPassword: current, newPassword: next, keepsTokens }),
    () => {
      setCurrent("");
      setNext("");
      toast("Password changed. Your other sessions were signed out.");
    },
  );
  const submit = () => change.mutate(undefined);
  return (
    <Card
      title="Password"
      description="Changing your password signs you out of all other sessions. It also revokes your access tokens, unless you choose to keep them."
    >
      <Form className="max-w-md" isBusy={change.isPending} onSubmit={submit}>
        {/* Tells a password manager whose password this is. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          required
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <NewPasswordField label="New password" value={next} onChange={setNext} />
        <Checkbox
          label="Keep my access tokens"
          checked={keepsTokens}
          onChange={(event) => setKeepsTokens(event.target.checked)}
        />
        <FormError error={signInMessage(change.error)} />
        <Button className="justify-self-start" type="submit" isBusy={change.isPending}>
          Change password
        </Button>
      </Form>
    </Card>
  );
}
