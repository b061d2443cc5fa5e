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
      title={`Buy the ${addOn.name} package for ${formatUsd(addOn.price_cents)}?`}
      tone="primary"
      confirmLabel={billing.provider === "stripe" ? "Continue to checkout" : `Buy for ${formatUsd(addOn.price_cents)}`}
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
          ["Expires", `${formatDay(month.ends_at)}, 00:00 UTC. Unused units don’t roll over.`],
          [
            "New balance",
            `${formatCount(month.remaining)} + ${formatCount(addOn.units)} = ${formatCount(month.remaining + addOn.units)} units`,
          ],
        ]}
      />
      <p className="mt-2">
        {billing.provider === "stripe"
          ? "You pay on Stripe’s checkout page. The units are credited once Stripe confirms the payment."
          : `The units are credited immediately. The amount is due now and appears on the ${formatMonth(month.month)} invoice.`}
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
  <Dialog open onOpenChange={onClose} title={`${addOn.name} package credited`} size="small">
    <div role="status" className="grid gap-1">
      <p>{formatCount(addOn.units)} units were added to this month’s balance.</p>
      <p className="text-lg font-semibold tabular-nums">
        {isFresh ? `${formatCount(billing.this_month.remaining)} units left` : "Updating the balance…"}
      </p>
    </div>
    <DialogActions>
      <Button variant="primary" onClick={onClose}>
        Done
      </Button>
    </DialogActions>
  </Dialog>
);
