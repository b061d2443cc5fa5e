// The operator's window: whether a workspace's calls are admitted, and its monthly allowance.
import { useState } from "react";
import { type DataOf, useChange } from "../../api.ts";
import { Choices, FormDialog, quoted, TextField, toast } from "../../components/index.ts";

export type Workspace = DataOf<"getWorkspace">;

const allowanceMax = 1_000_000_000_000;

const states = [
  { value: "active", label: "Active", hint: "Calls with its keys are admitted." },
  {
    value: "inactive",
    label: "Inactive",
    hint: "Every call is refused from the next one on. Nothing is lost, and the console stays open.",
  },
] as const;

export function Subscription({ about, onClose }: { about: Workspace; onClose: () => void }) {
  const [subscription, setSubscription] = useState(about.subscription);
  const [allowance, setAllowance] = useState(String(about.monthly_requests));
  const [isTried, setIsTried] = useState(false);
  const change = useChange("putSubscription", {
    query: { workspaceId: about.id },
    onDone: () => {
      toast("Subscription changed, from the next call on");
      onClose();
    },
  });
  const units = /^[\d, ]{1,20}$/.test(allowance) ? Number(allowance.replaceAll(/[, ]/g, "")) : Number.NaN;
  const isWrong = allowance.trim() === "" || Number.isNaN(units) || units > allowanceMax;
  const send = () => {
    setIsTried(true);
    if (!isWrong) change.mutate({ body: { subscription, monthlyRequests: units } });
  };
  return (
    <FormDialog
      title={`Subscription of ${quoted(about.name)}`}
      sendLabel="Save subscription"
      isBusy={change.isPending}
      error={change.error}
      onSend={send}
      onClose={onClose}
    >
      <Choices legend="State" name="subscription" value={subscription} onChange={setSubscription} options={states} />
      <TextField
        label="Monthly allowance, in units"
        inputMode="numeric"
        autoComplete="off"
        value={allowance}
        onChange={(event) => setAllowance(event.target.value)}
        hint="Acts at once, on this month as well, but never below what was used of it."
        error={isTried && isWrong ? "Give a whole number, at most 1,000,000,000,000." : undefined}
      />
    </FormDialog>
  );
}
