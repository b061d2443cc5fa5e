// The packages for sale.
import { useState } from "react";
import type { DataOf } from "../../api.ts";
import { Button, Card, formatCount, formatDay, formatUsd } from "../../components/index.ts";
import { useWorkspace } from "../../workspace.tsx";
import { BuyDialog } from "./buy-dialog.tsx";
import type { Package } from "./package.ts";

type Billing = DataOf<"getBilling">;

/** Shows the packages side by side with their prices. */
export function Packages({ billing }: { billing: Billing }) {
  const { may, subscription } = useWorkspace();
  // Each opening of the dialog is a new purchase. Repeated requests from one dialog are the same purchase.
  const [buying, setBuying] = useState<{ readonly addOn: Package; readonly purchaseId: string }>();
  const mayBuy = may("billing.buy");
  return (
    <Card
      title="Add-on packages"
      description={`More units for this month, at the same price per unit as the allowance, billed when you buy them. Like the allowance, they expire on ${formatDay(billing.this_month.ends_at)} (UTC).`}
    >
      <ul className="grid gap-4 sm:grid-cols-3">
        {billing.packages.map((addOn) => (
          <li key={addOn.name} className="border-line grid content-between gap-4 rounded-lg border p-4">
            <div>
              <h3 className="text-quiet font-medium">{addOn.name} package</h3>
              <p className="mt-1 text-2xl font-semibold tracking-tight tabular-nums">{formatUsd(addOn.price_cents)}</p>
              <p className="text-quiet mt-0.5">{formatCount(addOn.units)} units</p>
            </div>
            {mayBuy && (
              <Button
                disabled={subscription !== "active"}
                onClick={() => setBuying({ addOn, purchaseId: crypto.randomUUID() })}
              >
                Buy {addOn.name}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {!mayBuy && <p className="text-quiet mt-4">Only owners and admins of this workspace can buy packages.</p>}
      {buying && <BuyDialog {...buying} billing={billing} onClose={() => setBuying(undefined)} />}
    </Card>
  );
}
