// The second factor: codes from an app, and recovery codes for when the phone is lost.
import { useState } from "react";
import { callAuth, useCustomMutation } from "../../api.ts";
import { Badge, Button, Card, ConfirmDialog, toast, toastError } from "../../components/index.ts";
import { signInMessage } from "../../sign-in-messages.ts";
import { usePerson } from "../../workspace.tsx";
import { PasswordDialog, RecoveryCodesDialog, SetUpDialog, type TotpSetup } from "./second-factor-dialogs.tsx";

export function SecondFactorCard() {
  const { has_second_factor: isOn, has_password, needs_verification } = usePerson();
  const [isAsking, setIsAsking] = useState(false);
  const [setup, setSetup] = useState<TotpSetup | undefined>();
  const [codes, setCodes] = useState<readonly string[] | undefined>();
  const [isDisabling, setIsDisabling] = useState(false);
  const enable = useCustomMutation(
    (password: string | undefined) => callAuth<TotpSetup>("POST", "/two-factor/enable", { password }),
    (data) => {
      setIsAsking(false);
      setSetup(data);
    },
  );
  const renew = useCustomMutation(
    () => callAuth<{ backupCodes: readonly string[] }>("POST", "/two-factor/generate-backup-codes"),
    ({ backupCodes }) => setCodes(backupCodes),
  );
  const disable = useCustomMutation(
    () => callAuth("POST", "/two-factor/disable"),
    () => {
      setIsDisabling(false);
      toast("Two-factor authentication is off");
    },
  );
  return (
    <Card
      title="Two-factor authentication"
      description={
        has_password
          ? "Asks for a code from an authenticator app when you sign in with your password."
          : "Asks for a code from an authenticator app when you sign in with a password. Your account has no password."
      }
      actions={isOn ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>}
    >
      <div className="flex flex-wrap gap-2">
        {isOn ? (
          <>
            <Button isBusy={renew.isPending} onClick={() => renew.mutate(undefined, { onError: toastError })}>
              Generate new recovery codes
            </Button>
            <Button onClick={() => setIsDisabling(true)}>Turn off</Button>
          </>
        ) : (
          <Button
            variant={needs_verification ? "plain" : "primary"}
            isBusy={enable.isPending}
            onClick={() => (has_password ? setIsAsking(true) : enable.mutate(undefined, { onError: toastError }))}
          >
            Set up two-factor authentication
          </Button>
        )}
      </div>
      {isAsking && (
        <PasswordDialog
          isBusy={enable.isPending}
          error={signInMessage(enable.error)}
          onSubmit={enable.mutate}
          onClose={() => setIsAsking(false)}
        />
      )}
      {setup && <SetUpDialog data={setup} onClose={() => setSetup(undefined)} />}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
      <ConfirmDialog
        open={isDisabling}
        onOpenChange={setIsDisabling}
        title="Turn off two-factor authentication?"
        confirmLabel="Turn off"
        isBusy={disable.isPending}
        error={disable.error}
        onConfirm={() => disable.mutate(undefined)}
      >
        <p>
          {has_password
            ? "Your password alone will be enough to sign in."
            : "If you set a password later, that password alone will be enough to sign in."}{" "}
          Your authenticator app and all recovery codes will stop working for this account.
        </p>
      </ConfirmDialog>
    </Card>
  );
}
