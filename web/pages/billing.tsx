// The costs of a workspace: this month, packages, invoices and payments.
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
        description="You pay for what is used, by the calendar month in UTC. Packages add units to the current month."
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
        <strong className="font-semibold">{formatUsd(cents)} are billed and not paid.</strong>{" "}
        {may("payment.record")
          ? "Record a payment below when the money has come."
          : "Pay by transfer, as agreed with the operator of this service, who records the payment here."}
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
