// The billing of a workspace: this month, packages, invoices and payments.
import { useSearch } from "wouter";
import { useConsoleQuery } from "../api.ts";
import { Card, formatUsd, Loaded, Notice, PageHeader, Skeleton } from "../components/index.ts";
import { useWorkspace } from "../workspace.tsx";
import { CheckoutNotice } from "./billing/checkout-notice.tsx";
import { Details } from "./billing/details.tsx";
import { Invoices } from "./billing/invoices.tsx";
import { Packages } from "./billing/packages.tsx";
import { Payments } from "./billing/payments.tsx";
import { ThisMonth } from "./billing/this-month.tsx";

export default function Billing() {
  const outcome = new URLSearchParams(useSearch()).get("purchase");
  const billing = useConsoleQuery("getBilling");
  return (
    <>
      <PageHeader
        title="Billing"
        topic="billing"
        description="Requests use up units. You get an allowance on the 1st of each month and can buy more units at any time. Months start and end at midnight UTC."
      />
      <div className="grid gap-5">
        {outcome !== null && <CheckoutNotice outcome={outcome} />}
        <Loaded query={billing} skeleton={<LoadingCards />}>
          {({ data }) => (
            <>
              {data.open_cents > 0 && <DueNotice cents={data.open_cents} />}
              <ThisMonth billing={data} />
              <Packages billing={data} />
              <Details billedTo={data.billed_to} />
            </>
          )}
        </Loaded>
        <Invoices />
        <Payments />
      </div>
    </>
  );
}

function DueNotice({ cents }: { cents: number }) {
  const { may } = useWorkspace();
  return (
    <Notice tone="warn">
      <p>
        <strong className="font-semibold">{formatUsd(cents)} outstanding.</strong>{" "}
        {may("payment.record")
          ? "Record a payment below once it arrives."
          : "Pay as agreed with the operator of this service, who records your payment here once it arrives."}
      </p>
    </Notice>
  );
}

const LoadingCards = () => (
  <div className="grid gap-5">
    <Card>
      <Skeleton lines={6} />
    </Card>
    <Card>
      <Skeleton lines={5} />
    </Card>
  </div>
);
