// The second factor: codes from an app, and recovery codes for when the phone is lost.
import { useState } from "react";
import { callAuth, useCustomMutation } from "../../api.ts";
import { Badge, Button, Card, ConfirmDialog, toast, toastError } from "../../components/index.ts";
import { usePerson } from "../../workspace.tsx";
import { RecoveryCodesDialog, SetUpDialog, type TotpSetup } from "./second-factor-dialogs.tsx";

export function SecondFactorCard() {
  const { has_second_factor: isOn } = usePerson();
  const [setup, setSetup] = useState<TotpSetup | undefined>();
  const [codes, setCodes] = useState<readonly string[] | undefined>();
  const [isDisabling, setIsDisabling] = useState(false);
  const enable = useCustomMutation(() => callAuth<TotpSetup>("POST", "/two-factor/enable"), setSetup);
  const renew = useCustomMutation(
    () => callAuth<{ backupCodes: readonly string[] }>("POST", "/two-factor/generate-backup-codes"),
    ({ backupCodes }) => setCodes(backupCodes),
  );
  const disable = useCustomMutation(
    () => callAuth("POST", "/two-factor/disable"),
    () => {
      setIsDisabling(false);
      toast("The second step is off");
    },
  );
  return (
    <Card
      title="Second step"
      description="With a code of an app on your phone, a stolen password alone opens nothing."
      actions={isOn ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>}
    >
      <div className="flex flex-wrap gap-2">
        {isOn ? (
          <>
            <Button isBusy={renew.isPending} onClick={() => renew.mutate(undefined, { onError: toastError })}>
              New recovery codes
            </Button>
            <Button onClick={() => setIsDisabling(true)}>Switch off</Button>
          </>
        ) : (
          <Button
            variant="primary"
            isBusy={enable.isPending}
            onClick={() => enable.mutate(undefined, { onError: toastError })}
          >
            Set up the second step
          </Button>
        )}
      </div>
      {setup && <SetUpDialog data={setup} onClose={() => setSetup(undefined)} />}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
      <ConfirmDialog
        open={isDisabling}
        onOpenChange={setIsDisabling}
        title="Switch the second step off?"
        confirmLabel="Switch off"
        isBusy={disable.isPending}
        error={disable.error}
        onConfirm={() => disable.mutate(undefined)}
      >
        <p>Your password alone opens your account then. The app’s entry and all recovery codes become useless.</p>
      </ConfirmDialog>
    </Card>
  );
}
