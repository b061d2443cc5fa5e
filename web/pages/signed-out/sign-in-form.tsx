// Signing in: with e-mail and password, and a second step where one is set; with a passkey; with the OpenID provider.
import { type FormEvent, useState } from "react";
import { useConsole } from "../../api.ts";
import { callAuth } from "../../call.ts";
import { Button, FormError, Icon, PasswordField, TextField } from "../../components/index.ts";
import { knowsPasskeys, signInWithPasskey } from "../../passkeys.ts";
import { beginsAgain, signInMessage } from "../../sign-in-messages.ts";
import { SecondStep } from "./second-step.tsx";

interface SignInFormProps {
  /** Signed in: go on. */
  readonly onDone: () => void;
  /** The only address that counts here. */
  readonly email?: string;
  readonly onForgotten?: () => void;
  /** The OpenID provider shall ask who it is, although it may know. */
  readonly isAgain?: boolean;
  /** Shown until something is tried. */
  readonly firstError?: string | undefined;
}

export function SignInForm({ onDone, email: fixedEmail, onForgotten, isAgain = false, firstError }: SignInFormProps) {
  const offers = useConsole("getSignIn").data?.data;
  const [email, setEmail] = useState(fixedEmail ?? "");
  const [password, setPassword] = useState("");
  const [hasSecondStep, setHasSecondStep] = useState(false);
  const [busy, setBusy] = useState<"password" | "passkey" | "open id" | undefined>();
  const [error, setError] = useState<string | undefined>(firstError);

  const attempt = async (way: NonNullable<typeof busy>, work: () => Promise<void>) => {
    if (busy) return;
    setBusy(way);
    setError(undefined);
    try {
      await work();
    } catch (cause) {
      setError(signInMessage(cause));
    }
    setBusy(undefined);
  };
  const withPassword = (event: FormEvent) => {
    event.preventDefault();
    void attempt("password", async () => {
      const answer = await callAuth<{ twoFactorRedirect?: boolean }>("POST", "/sign-in/email", { email, password });
      setPassword("");
      if (answer.twoFactorRedirect) setHasSecondStep(true);
      else onDone();
    });
  };
  const withOpenId = () =>
    attempt("open id", async () => {
      const { url } = await callAuth<{ url: string }>("POST", "/sign-in/social", { again: isAgain });
      location.assign(url);
    });

  if (hasSecondStep)
    return (
      <SecondStep
        onDone={onDone}
        onBack={(cause) => {
          setHasSecondStep(false);
          setError(beginsAgain(cause) ? signInMessage(cause) : undefined);
        }}
      />
    );
  const hasPasskeys = offers?.passkeys === true && knowsPasskeys();
  return (
    <div className="grid gap-4">
      <form className="grid gap-4" onSubmit={withPassword}>
        <TextField
          label="E-mail address"
          type="email"
          autoComplete="username"
          required
          readOnly={fixedEmail !== undefined}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
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
      </form>
      {(hasPasskeys || (offers?.open_id && fixedEmail === undefined)) && (
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
            {offers?.open_id && fixedEmail === undefined && (
              <Button isBusy={busy === "open id"} onClick={() => void withOpenId()}>
                <span className="min-w-0 truncate">Sign in with {offers.open_id}</span>
              </Button>
            )}
          </div>
        </>
      )}
      {offers &&
        (offers.password_reset && onForgotten ? (
          <Button variant="quiet" onClick={onForgotten}>
            Forgotten your password?
          </Button>
        ) : (
          <p className="text-quiet text-center text-[0.8125rem]">
            Forgotten your password? Ask the operator of this service for a link to a new one.
          </p>
        ))}
    </div>
  );
}
