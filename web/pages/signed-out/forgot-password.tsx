// Requests a link to reset a password.
import { useState } from "react";
import { useConsoleMutation } from "../../api.ts";
import { Button, Form, FormError, Notice } from "../../components/index.ts";
import { limits } from "../../limits.ts";
import { EmailField } from "./email-field.tsx";

/** Shows the same message whether the address is known or not. */
export function ForgotPassword({ onBack }: { onBack: () => void }) {
  const [email, setEmail] = useState("");
  const requestReset = useConsoleMutation("postPasswordReset", { invalidates: [] });
  const submit = () => requestReset.mutate({ body: { email } });
  if (requestReset.isSuccess)
    return (
      <div className="grid gap-4">
        <div role="status">
          <Notice tone="good">
            <p>
              If there’s an account for <strong className="font-semibold wrap-anywhere">{email}</strong>, we’ve emailed
              a link to that address. The link works once and expires in {limits.resetLinkMinutes} minutes.
            </p>
          </Notice>
        </div>
        <Button onClick={onBack}>Back to sign-in</Button>
      </div>
    );
  return (
    <Form isBusy={requestReset.isPending} onSubmit={submit}>
      <EmailField hasFocus value={email} onChange={setEmail} />
      <FormError error={requestReset.error} />
      <Button type="submit" variant="primary" isBusy={requestReset.isPending}>
        Send reset link
      </Button>
      <Button variant="quiet" onClick={onBack}>
        Back to sign-in
      </Button>
    </Form>
  );
}
