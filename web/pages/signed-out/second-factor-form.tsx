// The second factor of signing in: a code from an app, or a recovery code.
import { useState } from "react";
import { callAuth } from "../../call.ts";
import { Button, Form, FormError, TextField } from "../../components/index.ts";
import { restartsSignIn, signInMessage } from "../../sign-in-messages.ts";

export function SecondFactorForm({ onDone, onBack }: { onDone: () => void; onBack: (cause?: unknown) => void }) {
  const [kind, setKind] = useState<"app" | "recovery">("app");
  const [code, setCode] = useState("");
  const [error, setError] = useState<string | undefined>();
  const [isBusy, setIsBusy] = useState(false);
  const isApp = kind === "app";

  const confirm = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      const path = isApp ? "/two-factor/verify-totp" : "/two-factor/verify-backup-code";
      await callAuth("POST", path, { code: isApp ? code.replace(/\s/g, "") : code.trim() });
      onDone();
    } catch (cause) {
      if (restartsSignIn(cause)) onBack(cause);
      else {
        setError(signInMessage(cause));
        setCode("");
        setIsBusy(false);
      }
    }
  };
  return (
    <Form isBusy={isBusy} onSubmit={() => void confirm()}>
      <TextField
        // A new field, so that a phone shows the right keyboard.
        key={kind}
        autoFocus
        label={isApp ? "Authentication code" : "Recovery code"}
        hint={
          isApp
            ? "Enter the six-digit code from your authenticator app."
            : "Enter one of your saved recovery codes. Each code works once."
        }
        inputMode={isApp ? "numeric" : "text"}
        autoComplete="one-time-code"
        spellCheck={false}
        required
        value={code}
        onChange={(event) => setCode(event.target.value)}
        className="tabular-nums"
      />
      <FormError error={error} />
      <Button type="submit" variant="primary" isBusy={isBusy}>
        Verify
      </Button>
      <div className="grid gap-1">
        <Button
          variant="quiet"
          onClick={() => {
            setKind(isApp ? "recovery" : "app");
            setCode("");
            setError(undefined);
          }}
        >
          {isApp ? "Use a recovery code" : "Use your authenticator app"}
        </Button>
        <Button variant="quiet" onClick={() => onBack()}>
          Back
        </Button>
      </div>
    </Form>
  );
}
