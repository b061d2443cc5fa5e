// The operator's dialog to change the credit limit of a workspace.
import { useState } from "react";
import { type DataOf, useConsoleMutation } from "../../api.ts";
import { FormDialog, formatUsd, TextField, toast } from "../../components/index.ts";
import { limits } from "../../limits.ts";

type Credit = DataOf<"getBilling">["credit"];

const centsPerDollar = 100;

export function CreditDialog({ credit, onClose }: { credit: Credit; onClose: () => void }) {
  const [limit, setLimit] = useState((credit.limit_cents / centsPerDollar).toFixed(2));
  const [isSubmitted, setIsSubmitted] = useState(false);
  const change = useConsoleMutation("putCreditLimit", {
    onSuccess: () => {
      toast("Credit limit changed");
      onClose();
    },
  });
  const amount = limit.replaceAll(/[$, ]/g, "");
  const limitCents = /^\d{1,9}(\.\d{1,2})?$/.test(amount) ? Math.round(Number(amount) * centsPerDollar) : Number.NaN;
  const isInvalid = !(limitCents <= limits.creditLimitCentsMax);
  const submit = () => {
    setIsSubmitted(true);
    if (!isInvalid) change.mutate({ body: { limitCents } });
  };
  return (
    <FormDialog
      title="Change credit limit"
      description="Owners and admins can buy packages up to this limit before paying for them. Recording a payment frees up credit. With a limit of $0.00, only operators can buy packages."
      submitLabel="Save limit"
      isBusy={change.isPending}
      error={change.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Credit limit (USD)"
        inputMode="decimal"
        autoComplete="off"
        value={limit}
        onChange={(event) => setLimit(event.target.value)}
        hint="Applies immediately. Packages that were already bought are kept."
        error={isSubmitted && isInvalid ? `Enter an amount up to ${formatUsd(limits.creditLimitCentsMax)}.` : undefined}
      />
    </FormDialog>
  );
}
