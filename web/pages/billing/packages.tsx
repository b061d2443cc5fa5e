// The packages for sale, and the credit for those that are billed.
import { useState } from "react";
import type { DataOf } from "../../api.ts";
import { Button, Card, formatCount, formatDay, formatUsd } from "../../components/index.ts";
import { useWorkspace } from "../../workspace.tsx";
import { BuyDialog } from "./buy-dialog.tsx";
import { CreditDialog } from "./credit-dialog.tsx";
import type { Package } from "./package.ts";

type Billing = DataOf<"getBilling">;

/** Shows the packages side by side with their prices. */
export function Packages({ billing }: { billing: Billing }) {
  const { may, subscription } = useWorkspace();
  // Each opening of the dialog is a new purchase. Repeated requests from one dialog are the same purchase.
  const [buying, setBuying] = useState<{ readonly addOn: Package; readonly purchaseId: string }>();
  const [isCreditOpen, setIsCreditOpen] = useState(false);
  const mayBuy = may("billing.buy");
  const isOperator = may("subscription.change");
  const isOnCredit = billing.provider === "manual";
  const isWithinCredit = (addOn: Package) =>
    !isOnCredit || isOperator || addOn.price_cents <= billing.credit.remaining_cents;
  return (
    <Card
      title="Add-on packages"
      description={`More units for this month, at the same price per unit as the allowance, billed when you buy them. Like the allowance, they expire on ${formatDay(billing.this_month.ends_at)} (UTC).`}
      actions={
        isOnCredit &&
        isOperator && (
          <Button size="small" onClick={() => setIsCreditOpen(true)}>
            Change credit limit
          </Button>
        )
      }
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
                disabled={subscription !== "active" || !isWithinCredit(addOn)}
                onClick={() => setBuying({ addOn, purchaseId: crypto.randomUUID() })}
              >
                Buy {addOn.name}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {!mayBuy && <p className="text-quiet mt-4">Only owners and admins of this workspace can buy packages.</p>}
      {isOnCredit && <CreditState credit={billing.credit} isOperator={isOperator} />}
      {isCreditOpen && <CreditDialog credit={billing.credit} onClose={() => setIsCreditOpen(false)} />}
      {buying && <BuyDialog {...buying} billing={billing} onClose={() => setBuying(undefined)} />}
    </Card>
  );
}

const CreditState = ({ credit, isOperator }: { credit: Billing["credit"]; isOperator: boolean }) => (
  <p className="mt-4">
    <strong className="font-medium">
      {formatUsd(credit.remaining_cents)} of {formatUsd(credit.limit_cents)} credit left.
    </strong>{" "}
    <span className="text-quiet">
      {credit.open_cents > 0 && `Packages worth ${formatUsd(credit.open_cents)} haven’t been paid for yet. `}
      {isOperator
        ? "As the operator, you can buy beyond this limit."
        : "You can buy packages up to this limit before you pay. To raise it, ask the operator of this service."}
    </span>
  </p>
);
