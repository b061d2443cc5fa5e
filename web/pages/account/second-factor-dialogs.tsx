// The dialogs that set up the second factor and show its recovery codes.
import { type ReactNode, useState } from "react";
import { callAuth, useCustomMutation, useForgetSecrets } from "../../api.ts";
import {
  Button,
  Checkbox,
  CodeBlock,
  CopyButton,
  Dialog,
  DialogActions,
  downloadText,
  FormDialog,
  PasswordField,
  TextField,
  toast,
} from "../../components/index.ts";
import { signInMessage } from "../../sign-in-messages.ts";
import { usePerson } from "../../workspace.tsx";
import { QrCode } from "./qr-code.tsx";

export interface TotpSetup {
  readonly totpURI: string;
  readonly backupCodes: readonly string[];
}

interface PasswordDialogProps {
  readonly title: string;
  readonly submitLabel: string;
  readonly tone?: "danger";
  readonly isBusy: boolean;
  readonly error: unknown;
  /** What will happen. */
  readonly children?: ReactNode;
  /** Without a password where the account has none. */
  readonly onSubmit: (password: string | undefined) => void;
  readonly onClose: () => void;
}

/** A change of a factor always asks for the password: whoever finds an open session must neither add nor remove one. */
export function PasswordDialog({ children, onSubmit, error, ...dialog }: PasswordDialogProps) {
  const { has_password } = usePerson();
  const [password, setPassword] = useState("");
  return (
    <FormDialog
      size="small"
      {...dialog}
      error={signInMessage(error)}
      onSubmit={() => onSubmit(has_password ? password : undefined)}
    >
      {children}
      {has_password && (
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      )}
    </FormDialog>
  );
}

/** Connects the app and checks a code of it, then shows the recovery codes once. */
export function SetUpDialog({ data, onClose }: { data: TotpSetup; onClose: () => void }) {
  const [isConfirmed, setIsConfirmed] = useState(false);
  useForgetSecrets();
  return isConfirmed ? (
    <RecoveryCodesDialog codes={data.backupCodes} onClose={onClose} />
  ) : (
    <ConnectAppDialog uri={data.totpURI} onDone={() => setIsConfirmed(true)} onClose={onClose} />
  );
}

function ConnectAppDialog({ uri, onDone, onClose }: { uri: string; onDone: () => void; onClose: () => void }) {
  const [code, setCode] = useState("");
  const confirm = useCustomMutation(
    () => callAuth("POST", "/two-factor/verify-totp", { code: code.replace(/\s/g, "") }),
    () => {
      toast("Two-factor authentication is on");
      onDone();
    },
  );
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  return (
    <FormDialog
      title="Set up your authenticator app"
      submitLabel="Turn on"
      isBusy={confirm.isPending}
      error={signInMessage(confirm.error)}
      onSubmit={() => confirm.mutate(undefined, { onError: () => setCode("") })}
      onClose={onClose}
      description="Scan the QR code with an authenticator app or password manager. Then enter the code it shows."
    >
      <div className="justify-self-center">
        <QrCode text={uri} label="QR code with the setup key. The key also appears below as text." />
      </div>
      <CodeBlock label="Setup key" text={secret} />
      <TextField
        label="Authentication code"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
    </FormDialog>
  );
}

/** Shows the codes once. Closes only by its button, after the person confirmed that the codes are saved. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const [isSaved, setIsSaved] = useState(false);
  useForgetSecrets();
  const text = codes.join("\n");
  return (
    <Dialog
      open
      onOpenChange={onClose}
      isPersistent
      size="small"
      title="Save your recovery codes"
      description="Use a recovery code to sign in when you don’t have your phone. Each code works once. You won’t see these codes again, and older ones no longer work."
    >
      <ul className="border-line bg-sunken grid grid-cols-2 gap-x-4 gap-y-1 rounded-md border px-4 py-3 font-mono">
        {codes.map((code) => (
          <li key={code} className="break-all select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy codes" size="normal" />
        <Button onClick={() => downloadText("commonplace-recovery-codes.txt", `${text}\n`)}>Download</Button>
      </div>
      <Checkbox
        label="I’ve saved my codes where I can find them without my phone"
        checked={isSaved}
        onChange={(event) => setIsSaved(event.target.checked)}
      />
      <DialogActions>
        <Button variant="primary" disabled={!isSaved} onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
