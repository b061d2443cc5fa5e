// The second factor: codes from an app, and recovery codes for when the phone is lost.
import { useState } from "react";
import { callAuth, useCustomMutation } from "../../api.ts";
import { Badge, Button, Card, toast, toastError } from "../../components/index.ts";
import { usePerson } from "../../workspace.tsx";
import { PasswordDialog, RecoveryCodesDialog, SetUpDialog, type TotpSetup } from "./second-factor-dialogs.tsx";

export function SecondFactorCard() {
  const { has_second_factor: isOn, has_password, needs_verification } = usePerson();
  const [asking, setAsking] = useState<"enable" | "renew" | "disable" | undefined>();
  const close = () => setAsking(undefined);
  const [setup, setSetup] = useState<TotpSetup | undefined>();
  const [codes, setCodes] = useState<readonly string[] | undefined>();
  const enable = useCustomMutation(
    (password: string | undefined) => callAuth<TotpSetup>("POST", "/two-factor/enable", { password }),
    (data) => {
      close();
      setSetup(data);
    },
  );
  const renew = useCustomMutation(
    (password: string | undefined) =>
      callAuth<{ backupCodes: readonly string[] }>("POST", "/two-factor/generate-backup-codes", { password }),
    ({ backupCodes }) => {
      close();
      setCodes(backupCodes);
    },
  );
  const disable = useCustomMutation(
    (password: string | undefined) => callAuth("POST", "/two-factor/disable", { password }),
    () => {
      close();
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
            <Button onClick={() => setAsking("renew")}>Generate new recovery codes</Button>
            <Button onClick={() => setAsking("disable")}>Turn off</Button>
          </>
        ) : (
          <Button
            variant={needs_verification ? "plain" : "primary"}
            isBusy={enable.isPending}
            onClick={() => (has_password ? setAsking("enable") : enable.mutate(undefined, { onError: toastError }))}
          >
            Set up two-factor authentication
          </Button>
        )}
      </div>
      {asking === "enable" && (
        <PasswordDialog
          title="Set up two-factor authentication"
          submitLabel="Continue"
          isBusy={enable.isPending}
          error={enable.error}
          onSubmit={enable.mutate}
          onClose={close}
        />
      )}
      {asking === "renew" && (
        <PasswordDialog
          title="Generate new recovery codes?"
          submitLabel="Generate codes"
          isBusy={renew.isPending}
          error={renew.error}
          onSubmit={renew.mutate}
          onClose={close}
        >
          <p>Your current recovery codes will stop working.</p>
        </PasswordDialog>
      )}
      {asking === "disable" && (
        <PasswordDialog
          title="Turn off two-factor authentication?"
          submitLabel="Turn off"
          tone="danger"
          isBusy={disable.isPending}
          error={disable.error}
          onSubmit={disable.mutate}
          onClose={close}
        >
          <p>
            {has_password
              ? "Your password alone will be enough to sign in."
              : "If you set a password later, that password alone will be enough to sign in."}{" "}
            Your authenticator app and all recovery codes will stop working for this account.
          </p>
        </PasswordDialog>
      )}
      {setup && <SetUpDialog data={setup} onClose={() => setSetup(undefined)} />}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </Card>
  );
}
