// The operator's dialog to change a subscription and its monthly allowance.
import { useState } from "react";
import { type DataOf, useConsoleMutation } from "../../api.ts";
import { FormDialog, formatCount, quote, RadioGroup, TextField, toast } from "../../components/index.ts";

export type Workspace = DataOf<"getWorkspace">;

const allowanceMax = 1_000_000_000_000;

const stateOptions = [
  { value: "active", label: "Active", hint: "API requests with this workspace’s keys are accepted." },
  {
    value: "inactive",
    label: "Inactive",
    hint: "API requests are refused as soon as you save. Data is kept, and the console still works.",
  },
] as const;

export function SubscriptionDialog({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const [subscription, setSubscription] = useState(workspace.subscription);
  const [allowance, setAllowance] = useState(formatCount(workspace.monthly_requests));
  const [isSubmitted, setIsSubmitted] = useState(false);
  const change = useConsoleMutation("putSubscription", {
    query: { workspaceId: workspace.id },
    onSuccess: () => {
      toast("Subscription changed");
      onClose();
    },
  });
  const units = /^[\d, ]{1,20}$/.test(allowance) ? Number(allowance.replaceAll(/[, ]/g, "")) : Number.NaN;
  const isAllowanceInvalid = allowance.trim() === "" || Number.isNaN(units) || units > allowanceMax;
  const submit = () => {
    setIsSubmitted(true);
    if (!isAllowanceInvalid) change.mutate({ body: { subscription, monthlyRequests: units } });
  };
  return (
    <FormDialog
      title={`Change subscription for ${quote(workspace.name)}`}
      submitLabel="Save subscription"
      isBusy={change.isPending}
      error={change.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <RadioGroup
        legend="Status"
        name="subscription"
        value={subscription}
        onChange={setSubscription}
        options={stateOptions}
      />
      <TextField
        label="Monthly allowance (units)"
        inputMode="numeric"
        autoComplete="off"
        value={allowance}
        onChange={(event) => setAllowance(event.target.value)}
        hint="Takes effect immediately, for this month too. This month’s allowance can’t drop below the units already used."
        error={isSubmitted && isAllowanceInvalid ? "Enter a whole number up to 1,000,000,000,000." : undefined}
      />
    </FormDialog>
  );
}
