// The name and address on invoices.
import { useState } from "react";
import { type DataOf, useConsoleMutation } from "../../api.ts";
import { Button, Card, FormDialog, TextareaField, TextField, toast } from "../../components/index.ts";
import { limits } from "../../limits.ts";
import { useWorkspace } from "../../workspace.tsx";

type BilledTo = DataOf<"getBilling">["billed_to"];

export function Details({ billedTo }: { billedTo: BilledTo }) {
  const { may } = useWorkspace();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card
      title="Billing details"
      description="The name and address on your invoices. Changes don’t affect invoices that were already issued."
      actions={
        may("workspace.change") && (
          <Button size="small" onClick={() => setIsOpen(true)}>
            Edit billing details
          </Button>
        )
      }
    >
      <Party party={billedTo} />
      {isOpen && <ChangeDetails billedTo={billedTo} onClose={() => setIsOpen(false)} />}
    </Card>
  );
}

/** The seller or the customer on an invoice, line by line. */
export const Party = ({ party: { name, address, tax_id } }: { party: BilledTo }) => (
  <address className="min-w-0 break-words not-italic">
    <span className="block font-semibold">
      <bdi>{name}</bdi>
    </span>
    {[...address, ...(tax_id === null ? [] : [`Tax ID ${tax_id}`])].map((line, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id, and never move
      <span key={index} className="block">
        <bdi>{line}</bdi>
      </span>
    ))}
  </address>
);

function ChangeDetails({ billedTo, onClose }: { billedTo: BilledTo; onClose: () => void }) {
  const [name, setName] = useState(billedTo.name);
  const [address, setAddress] = useState(billedTo.address.join("\n"));
  const [taxId, setTaxId] = useState(billedTo.tax_id ?? "");
  const change = useConsoleMutation("putBillingDetails", {
    onSuccess: () => {
      toast("Billing details saved");
      onClose();
    },
  });
  const lines = address.split("\n").filter((line) => line.trim() !== "");
  return (
    <FormDialog
      title="Edit billing details"
      submitLabel="Save"
      isBusy={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate({ body: { name, address: lines, taxId: taxId.trim() === "" ? null : taxId } })}
      onClose={onClose}
    >
      <TextField
        label="Name"
        autoComplete="organization"
        required
        maxLength={limits.billingLineLengthMax}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextareaField
        label="Address"
        hint={`Up to ${limits.addressLinesMax} lines.`}
        autoComplete="street-address"
        rows={4}
        value={address}
        onChange={(event) => setAddress(event.target.value)}
      />
      <TextField
        label="Tax ID"
        hint="Optional. For example, a VAT number."
        autoComplete="off"
        maxLength={limits.billingLineLengthMax}
        value={taxId}
        onChange={(event) => setTaxId(event.target.value)}
      />
    </FormDialog>
  );
}
