// The invoice of one month, to read, print and download.
import { Link, useParams } from "wouter";
import { ApiError, type DataOf, downloadPath, useConsoleQuery } from "../api.ts";
import {
  Badge,
  Button,
  ButtonLink,
  buttonClass,
  Card,
  EmptyState,
  formatCount,
  formatDay,
  formatMonth,
  formatUsd,
  Icon,
  Loaded,
  Notice,
  PageHeader,
  Skeleton,
  useIsPhone,
} from "../components/index.ts";
import { useWorkspace } from "../workspace.tsx";
import { Party } from "./billing/details.tsx";
import { InvoiceState } from "./billing/invoices.tsx";
import { formatExactUsd, isRounded } from "./billing/money.ts";

type InvoiceData = DataOf<"getInvoice">;

export default function Invoice() {
  const { month = "" } = useParams<{ month: string }>();
  if (month === "preview") return <InvoicePreview />;
  const isMonth = /^\d{4}-(0[1-9]|1[0-2])$/.test(month);
  return isMonth ? <InvoiceOfMonth month={month} /> : <InvoiceMissing title="Invoice" />;
}

function InvoiceOfMonth({ month }: { month: string }) {
  const { id } = useWorkspace();
  const invoice = useConsoleQuery("getInvoice", { query: { month } });
  const title = `${formatMonth(month)} invoice`;
  if (invoice.error instanceof ApiError && invoice.error.code === "invoice_not_found")
    return <InvoiceMissing title={title} />;
  return (
    <>
      <div className="print:hidden">
        <PageHeader
          title={title}
          topic="invoice"
          description={<BackLink />}
          actions={
            invoice.data && (
              <>
                <Button onClick={() => window.print()}>Print</Button>
                <a href={downloadPath("getInvoicePdf", id, { month })} download className={buttonClass("primary")}>
                  <Icon name="download" className="size-4" />
                  Download PDF
                </a>
              </>
            )
          }
        />
      </div>
      <Loaded query={invoice} skeleton={<LoadingInvoice />}>
        {({ data }) => (
          <div className="grid gap-5">
            {data.number === null && (
              <Notice>
                <p>
                  This is a draft without a number, because the seller isn’t set. The operator of this service can set
                  it with COMMONPLACE_SELLER_NAME.
                </p>
              </Notice>
            )}
            <InvoiceDocument invoice={data} />
          </div>
        )}
      </Loaded>
    </>
  );
}

/** What the invoice of this month would be now. */
function InvoicePreview() {
  const preview = useConsoleQuery("getInvoicePreview");
  return (
    <>
      <PageHeader title="This month’s invoice so far" topic="invoicePreview" description={<BackLink />} />
      <Loaded query={preview} skeleton={<LoadingInvoice />}>
        {({ data }) => (
          <div className="grid gap-5">
            <Notice>
              <p>
                A preview of the {formatMonth(data.month)} invoice, with everything used and bought so far. The invoice
                will be issued on {formatDay(data.issued_at)}.
              </p>
            </Notice>
            <InvoiceDocument invoice={data} isPreview />
          </div>
        )}
      </Loaded>
    </>
  );
}

const LoadingInvoice = () => (
  <Card>
    <Skeleton lines={12} />
  </Card>
);

function BackLink() {
  const { to } = useWorkspace();
  return (
    <Link href={to("billing")} className="link">
      All invoices and payments
    </Link>
  );
}

function InvoiceMissing({ title }: { title: string }) {
  const { to } = useWorkspace();
  return (
    <>
      <PageHeader title={title} />
      <EmptyState
        icon="billing"
        title="Invoice not found"
        action={<ButtonLink href={to("billing")}>Go to billing</ButtonLink>}
      >
        Invoices are issued on the 1st for the previous month, if you used units or bought a package that month.
      </EmptyState>
    </>
  );
}

/** 2026-03 → `Mar 1–31, 2026 (UTC)` */
const formatPeriod = (month: string): string => {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const lastDay = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return `${formatDay(`${month}-01`).replace(" 1,", ` 1–${lastDay},`)} (UTC)`;
};

const InvoiceDocument = ({ invoice, isPreview = false }: { invoice: InvoiceData; isPreview?: boolean }) => (
  <article
    aria-label={invoice.number === null ? "Draft invoice" : `Invoice ${invoice.number}`}
    className="bg-surface border-line shadow-low grid gap-8 rounded-lg border p-5 sm:p-10 print:border-0 print:p-0 print:shadow-none"
  >
    <header className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
      <div className="min-w-0">
        <h2 className="text-2xl font-semibold tracking-tight">
          {invoice.number === null ? "Draft invoice" : "Invoice"}
        </h2>
        <div className="mt-2">{isPreview ? <Badge>Preview</Badge> : <InvoiceState invoice={invoice} />}</div>
      </div>
      <section aria-label="Seller" className="min-w-0 sm:text-right">
        <Party party={invoice.seller} />
      </section>
    </header>
    <div className="grid gap-6 sm:grid-cols-2">
      <section className="min-w-0">
        <h3 className="text-quiet">Bill to</h3>
        <div className="mt-1">
          <Party party={invoice.billed_to} />
        </div>
        <p className="text-quiet mt-1 text-xs break-all">
          Workspace <span className="inline-block max-w-full">{invoice.workspace_id}</span>
        </p>
      </section>
      <dl className="grid grid-cols-[max-content_1fr] content-start gap-x-6 gap-y-1.5 sm:justify-self-end">
        <Fact name="Invoice number">{invoice.number ?? "None (draft)"}</Fact>
        <Fact name="Date of issue">{formatDay(invoice.issued_at)}</Fact>
        <Fact name="Billing period">{formatPeriod(invoice.month)}</Fact>
        {invoice.paid_at !== null && <Fact name="Paid in full">{formatDay(invoice.paid_at)}</Fact>}
      </dl>
    </div>
    <Lines invoice={invoice} />
    {invoice.seller.bank.length > 0 && <PayTo invoice={invoice} />}
    <footer className="text-quiet grid gap-1 text-[0.8125rem]">
      <p>Each amount is units × unit price, unrounded.</p>
      {invoice.lines.some(({ amount_microdollars: amount }) => isRounded(amount)) && (
        <p>Only the total is rounded, to the nearest cent (half up).</p>
      )}
      {invoice.tax && (
        <p>
          Prices include {formatTax(invoice.tax)}. The tax is calculated from the total and rounded to the nearest cent
          (half up).
        </p>
      )}
      {invoice.due_cents > 0 && !isPreview && <p>Due on receipt.</p>}
      <p>All dates are in UTC. All amounts are in US dollars.</p>
    </footer>
  </article>
);

const PayTo = ({ invoice: { seller, number } }: { invoice: InvoiceData }) => (
  <section aria-label="Bank details">
    <h3 className="text-quiet">{number === null ? "Pay to" : `Pay to (payment reference: ${number})`}</h3>
    {seller.bank.map((line, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id, and never move
      <p key={index} className="break-words tabular-nums">
        <bdi>{line}</bdi>
      </p>
    ))}
  </section>
);

/** VAT 19% */
const formatTax = ({ name, basis_points }: NonNullable<InvoiceData["tax"]>): string =>
  `${name} ${(basis_points / 100).toLocaleString("en-US", { maximumFractionDigits: 2 })}%`;

const Fact = ({ name, children }: { name: string; children: string }) => (
  <div className="contents">
    <dt className="text-quiet">{name}</dt>
    <dd className="min-w-0 break-words tabular-nums sm:text-right">{children}</dd>
  </div>
);

/** On a phone the calculation has its own line, so that all of it is visible. */
const Lines = ({ invoice }: { invoice: InvoiceData }) => {
  const isPhone = useIsPhone();
  return (
    <div>
      {isPhone ? <LineList lines={invoice.lines} /> : <LineTable lines={invoice.lines} />}
      <dl className="ml-auto grid max-w-80 grid-cols-2 gap-y-2 pt-4 tabular-nums">
        {invoice.tax && (
          <>
            <dt>Net</dt>
            <dd className="text-right">{formatUsd(invoice.net_cents)}</dd>
            <dt className="min-w-0 break-words">{formatTax(invoice.tax)}</dt>
            <dd className="text-right">{formatUsd(invoice.tax_cents)}</dd>
          </>
        )}
        <dt>Total</dt>
        <dd className="text-right">{formatUsd(invoice.total_cents)}</dd>
        <dt>Amount paid</dt>
        <dd className="text-right">{formatUsd(invoice.paid_cents === 0 ? 0 : -invoice.paid_cents)}</dd>
        <dt className="border-line border-t pt-2 text-base font-semibold">Amount due</dt>
        <dd className="border-line border-t pt-2 text-right text-base font-semibold">{formatUsd(invoice.due_cents)}</dd>
      </dl>
    </div>
  );
};

type Line = InvoiceData["lines"][number];

const LineTable = ({ lines }: { lines: readonly Line[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
  <section aria-label="Invoice lines" tabIndex={0} className="overflow-x-auto print:overflow-visible">
    <table className="w-full text-left tabular-nums">
      <thead className="text-quiet border-line border-b text-xs">
        <tr>
          <th scope="col" className="py-2 pr-4 font-medium">
            Description
          </th>
          {["Units", "Unit price", "Amount", "Status"].map((head) => (
            <th key={head} scope="col" className="py-2 pl-4 text-right font-medium whitespace-nowrap">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id, and never move
          <tr key={index} className="border-line break-inside-avoid border-b align-top">
            <th scope="row" className="w-1/2 py-2.5 pr-4 font-normal">
              {line.description}
              <PaidNote line={line} />
            </th>
            <td className="py-2.5 pl-4 text-right">{formatCount(line.units)}</td>
            <td className="py-2.5 pl-4 text-right">{formatExactUsd(line.unit_price_microdollars)}</td>
            <td className="py-2.5 pl-4 text-right">{formatExactUsd(line.amount_microdollars)}</td>
            <td className="py-2.5 pl-4 text-right">{lineState(line)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

const LineList = ({ lines }: { lines: readonly Line[] }) => (
  <ul aria-label="Invoice lines" className="divide-line border-line divide-y border-y">
    {lines.map((line, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id, and never move
      <li key={index} className="grid gap-0.5 py-2.5 tabular-nums">
        <span className="flex justify-between gap-4">
          <span className="min-w-0 font-medium">{line.description}</span>
          <span>{lineState(line)}</span>
        </span>
        <span>
          {formatCount(line.units)} × {formatExactUsd(line.unit_price_microdollars)} ={" "}
          {formatExactUsd(line.amount_microdollars)}
        </span>
        <PaidNote line={line} />
      </li>
    ))}
  </ul>
);

const lineState = ({ is_paid }: Line): string => (is_paid ? "Paid" : "Due");

const PaidNote = ({ line: { paid_at, reference } }: { line: Line }) =>
  paid_at !== null && (
    <span className="text-quiet block text-xs break-words">
      Paid on {formatDay(paid_at)}
      {reference !== null && `. Reference: ${reference}`}
    </span>
  );
