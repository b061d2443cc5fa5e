// The operator's window: whether a workspace's calls are admitted, and its monthly allowance.
import { useId, useState } from "react";
import { type DataOf, useChange } from "../../api.ts";
import { Button, Choices, Dialog, DialogActions, FormError, TextField, toast } from "../../parts/index.ts";

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
  const form = useId();
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
    if (!change.isPending && !isWrong) change.mutate({ body: { subscription, monthlyRequests: units } });
  };
  return (
    <Dialog open onOpenChange={onClose} title={`Subscription of “${about.name}”`}>
      <form
        id={form}
        noValidate
        className="grid min-w-0 gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
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
        <FormError error={change.error} />
      </form>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" type="submit" form={form} isBusy={change.isPending}>
          Save subscription
        </Button>
      </DialogActions>
    </Dialog>
  );
}
