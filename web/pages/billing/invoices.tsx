// The list of invoices.
import { useState } from "react";
import { Link } from "wouter";
import { type DataOf, downloadPath, useConsoleQuery } from "../../api.ts";
import {
  Badge,
  Button,
  buttonClass,
  Card,
  type Column,
  DataTable,
  EmptyState,
  formatMonth,
  formatUsd,
  Icon,
  Time,
} from "../../components/index.ts";
import { useWorkspace, type Workspace } from "../../workspace.tsx";
import { RecordDialog } from "./record-dialog.tsx";

type Invoice = DataOf<"getInvoices">[number];

/** Invoices shown at first: one year. */
const initialRows = 12;

export function Invoices() {
  const workspace = useWorkspace();
  const invoices = useConsoleQuery("getInvoices");
  const [showsAll, setShowsAll] = useState(false);
  const [recording, setRecording] = useState<Invoice>();
  const all = invoices.data?.data;
  const rest = (all?.length ?? 0) - initialRows;
  return (
    <Card
      title="Invoices"
      description="Issued on the 1st of each month for the allowance units you used and the packages you bought in the previous month."
      isFlush
    >
      <DataTable
        label="List of invoices"
        columns={columnsOf(workspace, setRecording)}
        rows={showsAll ? all : all?.slice(0, initialRows)}
        rowKey={(invoice) => invoice.month}
        error={invoices.error}
        onRetry={() => void invoices.refetch()}
        empty={
          <EmptyState icon="billing" title="No invoices yet">
            Your first invoice will be issued on the 1st of the month after you use units or buy a package.
          </EmptyState>
        }
      />
      {!showsAll && rest > 0 && (
        <div className="border-line border-t px-5 py-2">
          <Button size="small" variant="quiet" onClick={() => setShowsAll(true)}>
            Show all {all?.length} invoices
          </Button>
        </div>
      )}
      {recording && (
        <RecordDialog
          title={`Record payment for the ${formatMonth(recording.month)} invoice`}
          purpose="invoice"
          subject={recording.month}
          amountCents={recording.due_cents}
          note="This covers everything due on the invoice, including packages."
          onClose={() => setRecording(undefined)}
        />
      )}
    </Card>
  );
}

export const InvoiceState = ({ invoice }: { invoice: Pick<Invoice, "due_cents" | "total_cents"> }) =>
  invoice.due_cents > 0 ? (
    <Badge tone="warn">Due</Badge>
  ) : invoice.total_cents > 0 ? (
    <Badge tone="good">Paid</Badge>
  ) : (
    <Badge>Nothing due</Badge>
  );

const columnsOf = ({ id, may, to }: Workspace, onRecord: (invoice: Invoice) => void): Column<Invoice>[] => [
  {
    id: "month",
    head: "Month",
    isTitle: true,
    cell: (invoice) => (
      <Link href={to(`invoices/${invoice.month}`)} className="link">
        {formatMonth(invoice.month)}
      </Link>
    ),
  },
  {
    id: "number",
    head: "Number",
    isHiddenOnPhone: true,
    cell: ({ number }) => <span className="font-mono text-xs whitespace-nowrap">{number ?? "Draft"}</span>,
  },
  { id: "issued", head: "Issued", cell: ({ issued_at }) => <Time at={issued_at} part="day" /> },
  { id: "total", head: "Total", align: "end", cell: ({ total_cents }) => formatUsd(total_cents) },
  { id: "due", head: "Due", align: "end", cell: ({ due_cents }) => formatUsd(due_cents) },
  { id: "state", head: "Status", cell: (invoice) => <InvoiceState invoice={invoice} /> },
  {
    id: "actions",
    head: "Actions",
    isActions: true,
    cell: (invoice) => (
      <span className="inline-flex justify-end gap-2">
        {may("payment.record") && invoice.due_cents > 0 && (
          <Button
            size="small"
            onClick={() => onRecord(invoice)}
            aria-label={`Record payment for the ${formatMonth(invoice.month)} invoice`}
          >
            Record payment
          </Button>
        )}
        <a
          href={downloadPath("getInvoicePdf", id, { month: invoice.month })}
          download
          aria-label={`PDF of the ${formatMonth(invoice.month)} invoice`}
          className={buttonClass("quiet", "small")}
        >
          <Icon name="download" className="size-4" />
          PDF
        </a>
      </span>
    ),
  },
];
