// Invoices: what a finished month costs (decisions, Quota and invoices). An invoice is computed from the month's grants and
// balance, which do not change after the month's end, and from the recorded payments. Only the paid part of an invoice can change.
import { findWorkspace, type Workspace } from "../../accounts/workspaces/workspaces.store.ts";
import { requireWorkspace } from "../../accounts/workspaces/workspaces.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { boundsOfMonth, monthOf } from "../../platform/time.ts";
import { listOpenAndPaid, type PaymentRow } from "../payments/payments.store.ts";
import { packageReference } from "../payments/payments.ts";
import { type Grant, listGrants, listMonths } from "../quota/quota.store.ts";
import { readQuota } from "../quota/quota.ts";
import { type BilledFrom, isBilled } from "./billed-months.ts";
import { findIssues, type Issue } from "./issuing.store.ts";
import { microdollarsPerUnit, priceMicrodollars, toCents } from "./price.ts";

export interface InvoiceLine {
  readonly description: string;
  readonly units: number;
  readonly unit_price_microdollars: number;
  readonly amount_microdollars: number;
  readonly is_paid: boolean;
  readonly paid_at: string | null;
  /** The reference of its payment. */
  readonly reference: string | null;
}

export interface Invoice {
  readonly workspace_id: string;
  readonly workspace_name: string;
  /** Unique in the instance, without gaps. It never changes. Null until the invoice is issued. */
  readonly number: string | null;
  readonly month: string;
  /** When the invoice was issued and payment is due; the 1st of the next month until then. */
  readonly issued_at: string;
  readonly lines: InvoiceLine[];
  readonly total_cents: number;
  readonly paid_cents: number;
  readonly due_cents: number;
  /** When the last part was paid; null while something is due, and where nothing ever was. */
  readonly paid_at: string | null;
}

/** Lists the invoices of the finished months with usage or a purchase, newest first: of those that are billed, or that were issued. */
export async function listInvoices(
  transaction: Transaction,
  workspaceId: string,
  billedFrom: BilledFrom,
): Promise<Invoice[]> {
  const workspace = await findWorkspace(transaction, workspaceId);
  if (!workspace) return [];
  const months = await listMonths(transaction, workspaceId, monthOf(transaction.now));
  const settled = settlementsOf(await listOpenAndPaid(transaction, workspaceId));
  const issues = await findIssues(transaction, workspaceId);
  return months.flatMap((row) => {
    const { drawn, packages } = usageOf(row);
    const issue = issues.get(row.month);
    if (!issue && !isBilled(row.month, billedFrom)) return [];
    if (drawn === 0 && packages.length === 0) return [];
    return [invoiceOf(workspace, row.month, drawn, packages, settled, issue)];
  });
}

/** What the invoice of this month would be if the month ended now. @throws Refusal `not_found` */
export async function previewInvoice(transaction: Transaction, workspaceId: string): Promise<Invoice> {
  const workspace = await requireWorkspace(transaction, workspaceId);
  const { month, remaining, grants } = await readQuota(transaction, workspaceId);
  const { drawn, packages } = usageOf({ balance: remaining, grants });
  const settled = settlementsOf(await listOpenAndPaid(transaction, workspaceId));
  return invoiceOf(workspace, month, drawn, packages, settled, undefined);
}

/** What a month bills: the units drawn from the allowance, which are drawn first, and the packages. */
function usageOf({ balance, grants }: { readonly balance: number; readonly grants: readonly Grant[] }) {
  const allowance = grants.reduce((sum, grant) => sum + (grant.kind === "monthly" ? grant.units : 0), 0);
  const granted = grants.reduce((sum, grant) => sum + grant.units, 0);
  return {
    drawn: Math.min(allowance, granted - balance),
    packages: grants.filter((grant) => grant.kind !== "monthly"),
  };
}

export async function findInvoice(
  transaction: Transaction,
  workspaceId: string,
  month: string,
  billedFrom: BilledFrom,
): Promise<Invoice | undefined> {
  return (await listInvoices(transaction, workspaceId, billedFrom)).find((invoice) => invoice.month === month);
}

/** The unpaid amount of finished months, and of this month's packages that were credited before they were paid. */
export async function openCents(
  transaction: Transaction,
  workspaceId: string,
  billedFrom: BilledFrom,
): Promise<number> {
  const invoices = await listInvoices(transaction, workspaceId, billedFrom);
  const settled = settlementsOf(await listOpenAndPaid(transaction, workspaceId));
  const grants = await listGrants(transaction, workspaceId, monthOf(transaction.now));
  const lines = grants.filter((grant) => grant.kind !== "monthly").map((grant) => packageLine(grant, settled));
  return invoices.reduce((sum, invoice) => sum + invoice.due_cents, centsOf(lines, false));
}

/** The payments, by the reference of a package's grant and by the month of an invoice. */
interface Settlements {
  readonly packages: ReadonlyMap<string, PaymentRow>;
  readonly invoices: ReadonlyMap<string, PaymentRow>;
}

const settlementsOf = (payments: readonly PaymentRow[]): Settlements => ({
  packages: new Map(
    payments.filter(({ purpose }) => purpose === "package").map((payment) => [packageReference(payment.id), payment]),
  ),
  invoices: new Map(
    payments.filter(({ purpose }) => purpose === "invoice").map((payment) => [payment.subject, payment]),
  ),
});

function invoiceOf(
  workspace: Workspace,
  month: string,
  drawnUnits: number,
  packages: readonly Grant[],
  settled: Settlements,
  issue: Pick<Issue, "number" | "issued_at"> | undefined,
): Invoice {
  const payment = settled.invoices.get(month);
  const lines = [
    {
      ...priced("Units from the monthly allowance", drawnUnits),
      ...(payment?.status === "paid" ? paidBy(payment) : unpaid),
    },
    ...packages.map((grant) => packageLine(grant, settled)),
  ].filter((line) => line.units > 0);
  const [paid_cents, due_cents] = [centsOf(lines, true), centsOf(lines, false)];
  return {
    workspace_id: workspace.id,
    workspace_name: workspace.name,
    number: issue?.number ?? null,
    month,
    issued_at: issue?.issued_at ?? boundsOfMonth(month).before,
    lines,
    total_cents: paid_cents + due_cents,
    paid_cents,
    due_cents,
    paid_at: due_cents === 0 ? newest(lines.map((line) => line.paid_at)) : null,
  };
}

/** A package without a payment was granted by command, after it was paid by what its reference names. */
function packageLine(grant: Grant, { packages }: Settlements): InvoiceLine {
  const payment = packages.get(grant.reference ?? "");
  const paid = payment
    ? payment.status === "paid"
      ? paidBy(payment)
      : unpaid
    : { is_paid: true, paid_at: grant.created_at, reference: grant.reference };
  return { ...priced(`${grant.kind} add-on package`, grant.units), ...paid };
}

const priced = (description: string, units: number) => ({
  description,
  units,
  unit_price_microdollars: microdollarsPerUnit,
  amount_microdollars: priceMicrodollars(units),
});
const unpaid = { is_paid: false, paid_at: null, reference: null } as const;
const paidBy = ({ settled_at, reference }: PaymentRow) => ({ is_paid: true, paid_at: settled_at, reference });

/** Rounded once: packages cost whole cents, and there is only one other line. */
const centsOf = (lines: readonly InvoiceLine[], isPaid: boolean): number =>
  toCents(lines.reduce((sum, line) => sum + (line.is_paid === isPaid ? line.amount_microdollars : 0), 0));

const newest = (moments: readonly (string | null)[]): string | null =>
  moments.reduce((found, moment) => (moment !== null && (found === null || moment > found) ? moment : found), null);
