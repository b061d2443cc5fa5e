// Signs in with a password and a second factor, with a passkey, or with the OpenID provider.
import { useState } from "react";
import { useConsoleQuery } from "../../api.ts";
import { callAuth } from "../../call.ts";
import { Button, Form, FormError, Icon, PasswordField } from "../../components/index.ts";
import { signInWithPasskey, supportsPasskeys } from "../../passkeys.ts";
import { restartsSignIn, signInMessage } from "../../sign-in-messages.ts";
import { EmailField } from "./email-field.tsx";
import { SecondFactorForm } from "./second-factor-form.tsx";

interface SignInFormProps {
  /** Called after signing in. */
  readonly onDone: () => void;
  /** Fixes the address. */
  readonly email?: string;
  readonly onForgotPassword?: () => void;
  /** Makes the OpenID provider ask for credentials, even if it has a session. */
  readonly isReauthentication?: boolean;
  /** Shown until the first attempt. */
  readonly initialError?: string | undefined;
}

export function SignInForm({
  onDone,
  email: fixedEmail,
  onForgotPassword,
  isReauthentication = false,
  initialError,
}: SignInFormProps) {
  const signInOptions = useConsoleQuery("getSignIn").data?.data;
  const [email, setEmail] = useState(fixedEmail ?? "");
  const [password, setPassword] = useState("");
  const [needsSecondFactor, setNeedsSecondFactor] = useState(false);
  const [busy, setBusy] = useState<"password" | "passkey" | "open id" | undefined>();
  const [error, setError] = useState<string | undefined>(initialError);

  const attempt = async (method: NonNullable<typeof busy>, work: () => Promise<void>) => {
    if (busy) return;
    setBusy(method);
    setError(undefined);
    try {
      await work();
    } catch (cause) {
      setError(signInMessage(cause));
    }
    setBusy(undefined);
  };
  const signInWithPassword = () =>
    attempt("password", async () => {
      const result = await callAuth<{ twoFactorRedirect?: boolean }>("POST", "/sign-in/email", { email, password });
      setPassword("");
      if (result.twoFactorRedirect) setNeedsSecondFactor(true);
      else onDone();
    });
  const signInWithOpenId = () =>
    attempt("open id", async () => {
      const { url } = await callAuth<{ url: string }>("POST", "/sign-in/social", { again: isReauthentication });
      location.assign(url);
    });

  if (needsSecondFactor)
    return (
      <SecondFactorForm
        onDone={onDone}
        onBack={(cause) => {
          setNeedsSecondFactor(false);
          setError(restartsSignIn(cause) ? signInMessage(cause) : undefined);
        }}
      />
    );
  const hasPasskeys = signInOptions?.passkeys === true && supportsPasskeys();
  return (
    <div className="grid gap-4">
      <Form isBusy={busy !== undefined} onSubmit={() => void signInWithPassword()}>
        <EmailField isReadOnly={fixedEmail !== undefined} value={email} onChange={setEmail} />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <FormError error={error} />
        <Button type="submit" variant="primary" isBusy={busy === "password"}>
          Sign in
        </Button>
      </Form>
      {(hasPasskeys || (signInOptions?.open_id && fixedEmail === undefined)) && (
        <>
          <p className="text-quiet before:bg-line after:bg-line flex items-center gap-3 text-[0.8125rem] before:h-px before:flex-1 after:h-px after:flex-1">
            or
          </p>
          <div className="grid gap-2">
            {hasPasskeys && (
              <Button
                isBusy={busy === "passkey"}
                onClick={() =>
                  void attempt("passkey", async () => {
                    await signInWithPasskey();
                    onDone();
                  })
                }
              >
                <Icon name="passkey" className="size-4.5" />
                Sign in with a passkey
              </Button>
            )}
            {signInOptions?.open_id && fixedEmail === undefined && (
              <Button isBusy={busy === "open id"} onClick={() => void signInWithOpenId()}>
                <span className="min-w-0 truncate">Sign in with {signInOptions.open_id}</span>
              </Button>
            )}
          </div>
        </>
      )}
      {signInOptions &&
        (signInOptions.password_reset && onForgotPassword ? (
          <Button variant="quiet" onClick={onForgotPassword}>
            Forgot your password?
          </Button>
        ) : (
          <p className="text-quiet text-center text-[0.8125rem]">
            {signInOptions.password_reset
              ? "Forgot your password? Reset it on the sign-in page, then open this link again."
              : "Forgot your password? Ask the operator of this service for a reset link."}
          </p>
        ))}
    </div>
  );
}
