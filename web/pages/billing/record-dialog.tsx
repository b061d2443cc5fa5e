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
        {formatUsd(amountCents)} came in. {note} What is recorded can not be taken back.
      </p>
      <TextField
        label="Reference"
        hint="By which the money is found again, such as the transfer’s number. It stands on the invoice."
        required
        maxLength={limits.referenceLengthMax}
        autoComplete="off"
        value={reference}
        onChange={(event) => setReference(event.target.value)}
      />
    </ConfirmDialog>
  );
}
