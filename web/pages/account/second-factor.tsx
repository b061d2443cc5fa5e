// The second step of signing in: an app that shows codes, and recovery codes for the day on which the phone is gone.
import { useState } from "react";
import { callAuth, isCancelled, useAct } from "../../api.ts";
import { Badge, Button, Card, ConfirmDialog, toast } from "../../components/index.ts";
import { usePerson } from "../../workspace.tsx";
import { RecoveryCodes, SetUp, type SetUpData } from "./second-factor-dialogs.tsx";

export function SecondFactorCard() {
  const { has_second_factor: isOn } = usePerson();
  const [setUp, setSetUp] = useState<SetUpData | undefined>();
  const [codes, setCodes] = useState<readonly string[] | undefined>();
  const [isEnding, setIsEnding] = useState(false);
  const tell = (error: Error) => {
    if (!isCancelled(error)) toast(error.message, "danger");
  };
  const begin = useAct(() => callAuth<SetUpData>("POST", "/two-factor/enable"), setSetUp);
  const renew = useAct(
    () => callAuth<{ backupCodes: readonly string[] }>("POST", "/two-factor/generate-backup-codes"),
    ({ backupCodes }) => setCodes(backupCodes),
  );
  const end = useAct(
    () => callAuth("POST", "/two-factor/disable"),
    () => {
      setIsEnding(false);
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
            <Button isBusy={renew.isPending} onClick={() => renew.mutate(undefined, { onError: tell })}>
              New recovery codes
            </Button>
            <Button onClick={() => setIsEnding(true)}>Switch off</Button>
          </>
        ) : (
          <Button variant="primary" isBusy={begin.isPending} onClick={() => begin.mutate(undefined, { onError: tell })}>
            Set up the second step
          </Button>
        )}
      </div>
      {setUp && <SetUp data={setUp} onEnd={() => setSetUp(undefined)} />}
      {codes && <RecoveryCodes codes={codes} onEnd={() => setCodes(undefined)} />}
      <ConfirmDialog
        open={isEnding}
        onOpenChange={setIsEnding}
        title="Switch the second step off?"
        confirmLabel="Switch off"
        isBusy={end.isPending}
        error={end.error}
        onConfirm={() => end.mutate(undefined)}
      >
        <p>Your password alone opens your account then. The app’s entry and all recovery codes become useless.</p>
      </ConfirmDialog>
    </Card>
  );
}
