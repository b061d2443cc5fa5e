// Invoices: what a finished month costs (decisions, section 10). An invoice is computed from the month's grants and balance, which do not
// change after the month's end, and from the recorded payments. Only the paid part of an invoice can change.
import { findWorkspace, type Workspace } from "../../accounts/workspaces/workspaces.store.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { boundsOfMonth, monthOf } from "../../platform/time.ts";
import { listOpenAndPaid, type PaymentRow } from "../payments/payments.store.ts";
import { packageReference } from "../payments/payments.ts";
import { type Grant, listGrants, listMonths } from "../quota/quota.store.ts";
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
  /** Unique in the instance. It never changes. */
  readonly number: string;
  readonly month: string;
  /** The 1st of the next month, when the invoice is issued and payment is due. */
  readonly issued_at: string;
  readonly lines: InvoiceLine[];
  readonly total_cents: number;
  readonly paid_cents: number;
  readonly due_cents: number;
  /** When the last part was paid; null while something is due, and where nothing ever was. */
  readonly paid_at: string | null;
}

/** Lists the invoices of all finished months with usage or a purchase, newest first. */
export async function listInvoices(transaction: Transaction, workspaceId: string): Promise<Invoice[]> {
  const workspace = await findWorkspace(transaction, workspaceId);
  if (!workspace) return [];
  const months = await listMonths(transaction, workspaceId, monthOf(transaction.now));
  const settled = settlementsOf(await listOpenAndPaid(transaction, workspaceId));
  return months.flatMap(({ month, balance, grants }) => {
    const allowance = grants.reduce((sum, grant) => sum + (grant.kind === "monthly" ? grant.units : 0), 0);
    const granted = grants.reduce((sum, grant) => sum + grant.units, 0);
    // The allowance is drawn first.
    const drawn = Math.min(allowance, granted - balance);
    const packages = grants.filter((grant) => grant.kind !== "monthly");
    if (drawn === 0 && packages.length === 0) return [];
    return [invoiceOf(workspace, month, drawn, packages, settled)];
  });
}

export async function findInvoice(
  transaction: Transaction,
  workspaceId: string,
  month: string,
): Promise<Invoice | undefined> {
  return (await listInvoices(transaction, workspaceId)).find((invoice) => invoice.month === month);
}

/** The unpaid amount of finished months, and of this month's packages that were credited before they were paid. */
export async function openCents(transaction: Transaction, workspaceId: string): Promise<number> {
  const invoices = await listInvoices(transaction, workspaceId);
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
    number: invoiceNumber(workspace.id, month),
    month,
    issued_at: boundsOfMonth(month).before,
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

const digitsOfNumber = 12;

/** The end of an id is random. Its beginning is a time, which workspaces may share. */
const invoiceNumber = (workspaceId: string, month: string): string =>
  `INV-${month}-${workspaceId.replaceAll("-", "").slice(-digitsOfNumber).toUpperCase()}`;
