// Requests a link to reset a password.
import { type FormEvent, useState } from "react";
import { useConsoleMutation } from "../../api.ts";
import { Button, FormError, Notice, TextField } from "../../components/index.ts";
import { limits } from "../../limits.ts";

/** Shows the same message whether the address is known or not. */
export function ForgotPassword({ onBack }: { onBack: () => void }) {
  const [email, setEmail] = useState("");
  const requestReset = useConsoleMutation("postPasswordReset", { invalidates: [] });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!requestReset.isPending) requestReset.mutate({ body: { email } });
  };
  if (requestReset.isSuccess)
    return (
      <div className="grid gap-4">
        <div role="status">
          <Notice tone="good">
            <p>
              If there is an account with the address <strong className="font-semibold wrap-anywhere">{email}</strong>,
              a mail is on its way to it. Its link works once, within {limits.resetLinkMinutes} minutes.
            </p>
          </Notice>
        </div>
        <Button onClick={onBack}>Back to signing in</Button>
      </div>
    );
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <TextField
        autoFocus
        label="E-mail address"
        type="email"
        autoComplete="username"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <FormError error={requestReset.error} />
      <Button type="submit" variant="primary" isBusy={requestReset.isPending}>
        Send a link
      </Button>
      <Button variant="quiet" onClick={onBack}>
        Back to signing in
      </Button>
    </form>
  );
}
