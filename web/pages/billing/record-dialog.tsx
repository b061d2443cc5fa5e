// The operator's dialog to record a payment.

import { useState } from "react";
import { useConsoleMutation } from "../../api.ts";
import { ConfirmDialog, formatUsd, TextField, toast } from "../../components/index.ts";
import { limits } from "../../limits.ts";

export function RecordDialog({
  title,
  purpose,
  subject,
  amountCents,
  note,
  onClose,
}: {
  title: string;
  purpose: "package" | "invoice";
  subject: string;
  amountCents: number;
  note?: string;
  onClose: () => void;
}) {
  const [reference, setReference] = useState("");
  const record = useConsoleMutation("postPayment", {
    onSuccess: () => {
      toast(`${formatUsd(amountCents)} recorded as paid`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={title}
      tone="primary"
      confirmLabel={`Record ${formatUsd(amountCents)} as paid`}
      isBusy={record.isPending}
      error={record.error}
      onConfirm={() => record.mutate({ body: { purpose, subject, reference } })}
    >
      <p>
        Confirm that you received {formatUsd(amountCents)}. {note} You can’t undo this.
      </p>
      <TextField
        label="Payment reference"
        hint="For example, the bank transfer reference. It appears on the invoice."
        required
        maxLength={limits.referenceLengthMax}
        autoComplete="off"
        value={reference}
        onChange={(event) => setReference(event.target.value)}
      />
    </ConfirmDialog>
  );
}
