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
    <Card title="Payments" description="Package purchases and invoice payments, newest first." isFlush>
      <DataTable
        label="List of payments"
        columns={columnsOf(may("payment.record"), setRecording)}
        rows={payments.rows}
        rowKey={({ id }) => id}
        error={payments.error}
        onRetry={() => void payments.refetch()}
        empty={
          <EmptyState icon="billing" title="No payments yet">
            Package purchases and paid invoices will appear here.
          </EmptyState>
        }
      />
      <Pager pages={payments} noun="payment" />
      {recording && (
        <RecordDialog
          title={`Record payment for the ${recording.subject} package`}
          purpose="package"
          subject={recording.id}
          amountCents={recording.amount_cents}
          {...(recording.provider === "stripe" && {
            note: "Stripe hasn’t confirmed this payment. If you record it, the package is credited immediately. It isn’t credited again if Stripe confirms the payment later.",
          })}
          onClose={() => setRecording(undefined)}
        />
      )}
    </Card>
  );
}

const statusTones: Record<Payment["status"], Tone> = { open: "warn", paid: "good", failed: "neutral" };

const statusName = (status: Payment["status"], provider: Payment["provider"]): string => {
  if (status === "open") return provider === "stripe" ? "Pending" : "Due";
  return status === "paid" ? "Paid" : "Failed";
};

const titleOf = ({ purpose, subject }: Payment): string =>
  purpose === "package" ? `${subject} package` : `${formatMonth(subject)} invoice`;

const columnsOf = (mayRecord: boolean, onRecord: (payment: Payment) => void): Column<Payment>[] => [
  {
    id: "for",
    head: "For",
    isTitle: true,
    cell: (payment) => (
      <>
        {titleOf(payment)}
        {payment.units !== null && (
          <span className="text-quiet block text-xs font-normal">{formatCount(payment.units)} units</span>
        )}
      </>
    ),
  },
  { id: "amount", head: "Amount", align: "end", cell: ({ amount_cents }) => formatUsd(amount_cents) },
  {
    id: "state",
    head: "Status",
    cell: ({ status, provider, settled_at }) => (
      <span className="grid justify-items-start gap-1">
        <Badge tone={statusTones[status]}>{statusName(status, provider)}</Badge>
        {status === "failed" && settled_at !== null && (
          <span className="text-quiet text-xs">
            on <Time at={settled_at} part="day" />
          </span>
        )}
      </span>
    ),
  },
  { id: "requested", head: "Requested", cell: ({ created_at }) => <Time at={created_at} /> },
  {
    id: "by",
    head: "Requested by",
    isHiddenOnPhone: true,
    cell: ({ requested_by }) => (
      <span className="block max-w-40 truncate" title={requested_by ?? undefined}>
        {requested_by ?? "–"}
      </span>
    ),
  },
  {
    id: "paid",
    head: "Paid",
    cell: ({ status, settled_at }) => (status !== "paid" || settled_at === null ? "–" : <Time at={settled_at} />),
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
        <Button
          size="small"
          onClick={() => onRecord(payment)}
          aria-label={`Record payment for the ${titleOf(payment)}`}
        >
          Record payment
        </Button>
      ),
  },
];
