// Buys a package: shows its price and units before the purchase, and the new balance after it.
import { useState } from "react";
import { type DataOf, useConsoleMutation } from "../../api.ts";
import {
  Button,
  ConfirmDialog,
  DescriptionList,
  Dialog,
  DialogActions,
  formatCount,
  formatDay,
  formatMonth,
  formatUsd,
} from "../../components/index.ts";
import { formatExactUsd } from "./money.ts";
import type { Package } from "./package.ts";

type Billing = DataOf<"getBilling">;

interface BuyProps {
  readonly addOn: Package;
  readonly purchaseId: string;
  /** Read again after the purchase. */
  readonly billing: Billing;
  readonly onClose: () => void;
}

export function BuyDialog({ addOn, purchaseId, billing, onClose }: BuyProps) {
  const [isDone, setIsDone] = useState(false);
  // Saved, so that the old balance is never shown as the new one.
  const [balanceBefore] = useState(billing.this_month.remaining);
  const purchase = useConsoleMutation("postPurchase", {
    onSuccess: ({ checkout_url }) => {
      if (checkout_url === null) setIsDone(true);
      else location.assign(checkout_url);
    },
  });
  if (isDone)
    return (
      <PurchaseDone
        addOn={addOn}
        billing={billing}
        isFresh={billing.this_month.remaining !== balanceBefore}
        onClose={onClose}
      />
    );
  const { this_month: month } = billing;
  const isRedirecting = purchase.data?.checkout_url != null;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Buy package ${addOn.name} for ${formatUsd(addOn.price_cents)}?`}
      tone="primary"
      confirmLabel={billing.provider === "stripe" ? "Go to the checkout" : `Buy for ${formatUsd(addOn.price_cents)}`}
      isBusy={purchase.isPending || isRedirecting}
      error={purchase.error}
      onConfirm={() => purchase.mutate({ body: { package: addOn.name, purchaseId } })}
    >
      <DescriptionList
        items={[
          ["You get", `${formatCount(addOn.units)} units`],
          [
            "Price",
            `${formatCount(addOn.units)} × ${formatExactUsd(month.unit_price_microdollars)} = ${formatUsd(addOn.price_cents)}`,
          ],
          ["Until", `${formatDay(month.ends_at)}, 00:00 UTC: unused units are not carried over`],
          [
            "Left then",
            `${formatCount(month.remaining)} + ${formatCount(addOn.units)} = ${formatCount(month.remaining + addOn.units)} units`,
          ],
        ]}
      />
      <p className="mt-2">
        {billing.provider === "stripe"
          ? "You pay on Stripe’s page. The units are credited when Stripe reports that it was paid."
          : `The units are credited at once. The amount stands on the invoice of ${formatMonth(month.month)}, as due until your payment is recorded.`}
      </p>
    </ConfirmDialog>
  );
}

const PurchaseDone = ({
  addOn,
  billing,
  isFresh,
  onClose,
}: Pick<BuyProps, "addOn" | "billing" | "onClose"> & { isFresh: boolean }) => (
  <Dialog open onOpenChange={onClose} title={`Package ${addOn.name} is credited`} size="small">
    <div role="status" className="grid gap-1">
      <p>{formatCount(addOn.units)} units were added to this month.</p>
      <p className="text-lg font-semibold tabular-nums">
        {isFresh ? `${formatCount(billing.this_month.remaining)} units are left now.` : "Reading the new balance …"}
      </p>
    </div>
    <DialogActions>
      <Button variant="primary" onClick={onClose}>
        Done
      </Button>
    </DialogActions>
  </Dialog>
);
