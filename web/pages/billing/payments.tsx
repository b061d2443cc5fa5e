// The list of payments.
import { useState } from "react";
import { type RowOf, useConsolePages } from "../../api.ts";
import {
  Badge,
  Button,
  Card,
  type Column,
  DataTable,
  EmptyState,
  formatCount,
  formatMonth,
  formatUsd,
  Pager,
  Time,
  type Tone,
} from "../../components/index.ts";
import { useWorkspace } from "../../workspace.tsx";
import { RecordDialog } from "./record-dialog.tsx";

type Payment = RowOf<"getPayments">;

export function Payments() {
  const { may } = useWorkspace();
  const payments = useConsolePages("getPayments");
  const [recording, setRecording] = useState<Payment>();
  return (
    <Card
      title="Payments"
      description="What was bought or billed, and whether the money has come. Newest first."
      isFlush
    >
      <DataTable
        label="List of payments"
        columns={columnsOf(may("payment.record"), setRecording)}
        rows={payments.rows}
        rowKey={({ id }) => id}
        error={payments.error}
        onRetry={() => void payments.refetch()}
        empty={
          <EmptyState icon="billing" title="No payment yet">
            Packages that are bought, and invoices that are paid, stand here.
          </EmptyState>
        }
      />
      <Pager pages={payments} noun="payment" />
      {recording && (
        <RecordDialog
          title={`Record the payment of package ${recording.subject}`}
          purpose="package"
          subject={recording.id}
          amountCents={recording.amount_cents}
          {...(recording.provider === "stripe" && {
            note: "Stripe has not reported it. The package is credited now, and not again when Stripe does.",
          })}
          onClose={() => setRecording(undefined)}
        />
      )}
    </Card>
  );
}

const statusTones: Record<Payment["status"], Tone> = { open: "warn", paid: "good", failed: "neutral" };

const titleOf = ({ purpose, subject }: Payment): string =>
  purpose === "package" ? `Package ${subject}` : `Invoice of ${formatMonth(subject)}`;

const columnsOf = (mayRecord: boolean, onRecord: (payment: Payment) => void): Column<Payment>[] => [
  {
    id: "for",
    head: "For",
    isTitle: true,
    cell: (payment) => (
      <>
        {titleOf(payment)}
        {payment.units !== null && (
          <span className="text-quiet font-normal"> · {formatCount(payment.units)} units</span>
        )}
      </>
    ),
  },
  { id: "amount", head: "Amount", align: "end", cell: ({ amount_cents }) => formatUsd(amount_cents) },
  {
    id: "state",
    head: "State",
    cell: ({ status, provider }) => (
      <Badge tone={statusTones[status]}>{status === "open" && provider === "stripe" ? "waiting" : status}</Badge>
    ),
  },
  { id: "requested", head: "Asked for", cell: ({ created_at }) => <Time at={created_at} /> },
  {
    id: "by",
    head: "By",
    isHiddenOnPhone: true,
    cell: ({ requested_by }) => (
      <span className="block max-w-40 truncate" title={requested_by ?? undefined}>
        {requested_by ?? "–"}
      </span>
    ),
  },
  {
    id: "settled",
    head: "Settled",
    cell: ({ settled_at }) => (settled_at === null ? "–" : <Time at={settled_at} />),
  },
  {
    id: "reference",
    head: "Reference",
    cell: ({ reference }) => (
      <span className="block max-w-56 truncate" title={reference ?? undefined}>
        {reference ?? "–"}
      </span>
    ),
  },
  {
    id: "actions",
    head: "Actions",
    isActions: true,
    cell: (payment) =>
      mayRecord &&
      payment.status === "open" && (
        <Button size="small" onClick={() => onRecord(payment)} aria-label={`Record payment of ${titleOf(payment)}`}>
          Record payment
        </Button>
      ),
  },
];
