// The dialog that asks for the password before a sensitive operation.
import { useState } from "react";
import { useLocation } from "wouter";
import { signInAddress } from "../address.ts";
import { useConsoleQuery } from "../api.ts";
import { callAuth, callConsole } from "../call.ts";
import { usePasswordPrompt } from "../confirmation.ts";
import { FormDialog } from "./dialog.tsx";
import { PasswordField } from "./field.tsx";

export function ConfirmPassword() {
  const prompt = usePasswordPrompt();
  if (!prompt) return null;
  return <PasswordDialog answer={prompt.resolve} />;
}

function PasswordDialog({ answer }: { answer: (isGiven: boolean) => void }) {
  const [address] = useLocation();
  const [password, setPassword] = useState("");
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  // Usually cached already. A person who signed in with a passkey or OpenID may have no password.
  const hasNone = useConsoleQuery("getSession").data?.data.person.has_password === false;

  const confirm = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      await callConsole("postSessionConfirmation", { body: { password } });
      answer(true);
    } catch (cause) {
      setError(cause);
      setIsBusy(false);
    }
  };
  const signInAgain = async () => {
    await callAuth("POST", "/sign-out").catch(() => {});
    location.assign(`/console${signInAddress(address, "again")}`);
  };

  return (
    <FormDialog
      size="small"
      title="Confirm it’s you"
      description="This is a sensitive action. We won’t ask again for 15 minutes."
      submitLabel={hasNone ? "Sign in again" : "Confirm"}
      isBusy={isBusy}
      error={error}
      onSubmit={() => void (hasNone ? signInAgain() : confirm())}
      onClose={() => answer(false)}
    >
      {hasNone ? (
        <p>Your account has no password. Sign in again the way you usually do, then retry this action.</p>
      ) : (
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      )}
    </FormDialog>
  );
}
