// Buying a package: what it costs and what it gives stand there before anything is bought, and what was credited afterwards.
import { useState } from "react";
import { type DataOf, useChange } from "../../api.ts";
import { Button, ConfirmDialog, count, Dialog, DialogActions, day, Facts, month, usd } from "../../components/index.ts";
import { exactUsd } from "./money.ts";
import type { Package } from "./packages.tsx";

type Billing = DataOf<"getBilling">;

interface BuyProps {
  readonly wanted: Package;
  readonly purchaseId: string;
  /** As it is now: after the purchase it is read again. */
  readonly billing: Billing;
  readonly onClose: () => void;
}

export function BuyDialog({ wanted, purchaseId, billing, onClose }: BuyProps) {
  const [isDone, setIsDone] = useState(false);
  // Kept from before, so that the old balance is never shown as the new one.
  const [before] = useState(billing.this_month.remaining);
  const purchase = useChange("postPurchase", {
    onDone: ({ checkout_url }) => {
      if (checkout_url === null) setIsDone(true);
      else location.assign(checkout_url);
    },
  });
  if (isDone)
    return (
      <Done wanted={wanted} billing={billing} isFresh={billing.this_month.remaining !== before} onClose={onClose} />
    );
  const { this_month: now } = billing;
  const isLeaving = purchase.data?.checkout_url != null;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Buy package ${wanted.name} for ${usd(wanted.price_cents)}?`}
      tone="primary"
      confirmLabel={billing.provider === "stripe" ? "Go to the checkout" : `Buy for ${usd(wanted.price_cents)}`}
      isBusy={purchase.isPending || isLeaving}
      error={purchase.error}
      onConfirm={() => purchase.mutate({ body: { package: wanted.name, purchaseId } })}
    >
      <Facts
        items={[
          ["You get", `${count(wanted.units)} units`],
          ["Price", `${count(wanted.units)} × ${exactUsd(now.unit_price_microdollars)} = ${usd(wanted.price_cents)}`],
          ["Until", `${day(now.ends_at)}, 00:00 UTC: unused units are not carried over`],
          [
            "Left then",
            `${count(now.remaining)} + ${count(wanted.units)} = ${count(now.remaining + wanted.units)} units`,
          ],
        ]}
      />
      <p className="mt-2">
        {billing.provider === "stripe"
          ? "You pay on Stripe’s page. The units are credited when Stripe reports that it was paid."
          : `The units are credited at once. The amount stands on the invoice of ${month(now.month)}, as due until your payment is recorded.`}
      </p>
    </ConfirmDialog>
  );
}

const Done = ({
  wanted,
  billing,
  isFresh,
  onClose,
}: Pick<BuyProps, "wanted" | "billing" | "onClose"> & { isFresh: boolean }) => (
  <Dialog open onOpenChange={onClose} title={`Package ${wanted.name} is credited`} size="small">
    <div role="status" className="grid gap-1">
      <p>{count(wanted.units)} units were added to this month.</p>
      <p className="text-lg font-semibold tabular-nums">
        {isFresh ? `${count(billing.this_month.remaining)} units are left now.` : "Reading the new balance …"}
      </p>
    </div>
    <DialogActions>
      <Button variant="primary" onClick={onClose}>
        Done
      </Button>
    </DialogActions>
  </Dialog>
);
