// Invoices: what a finished month costs (decisions, section 10). An invoice is computed from the month's grants and balance,
// which nothing changes after the month's end, so it is the same whenever it is looked at.
import type { Transaction } from "../database/database.ts";
import { listMonths } from "../quota/quota.store.ts";
import { boundsOf, monthOf } from "../quota/quota.ts";
import { priceMicrodollars, toCents } from "./price.ts";

export interface InvoiceLine {
  readonly description: string;
  readonly units: number;
  readonly amount_microdollars: number;
  /** An add-on is paid when it is bought. */
  readonly is_paid: boolean;
  readonly reference: string | null;
}

export interface Invoice {
  readonly workspace_id: string;
  readonly month: string;
  /** The 1st of the next month, when the invoice is made and payment is charged. */
  readonly issued_at: string;
  readonly lines: readonly InvoiceLine[];
  readonly total_cents: number;
  readonly paid_cents: number;
  readonly due_cents: number;
}

/** The invoices of all finished months with usage or a purchase, newest first. */
export async function listInvoices(transaction: Transaction, workspaceId: string): Promise<Invoice[]> {
  const months = await listMonths(transaction, workspaceId, monthOf(transaction.now));
  return months.flatMap((month) => {
    const packages = month.grants.filter((grant) => grant.kind !== "monthly");
    const allowance = month.grants.reduce((sum, grant) => sum + (grant.kind === "monthly" ? grant.units : 0), 0);
    const granted = month.grants.reduce((sum, grant) => sum + grant.units, 0);
    // The allowance is drawn first, so what was drawn from it is all that was used, up to the allowance.
    const drawn = Math.min(allowance, granted - month.balance);
    if (drawn === 0 && packages.length === 0) return [];
    return [invoiceOf(workspaceId, month.month, drawn, packages)];
  });
}

function invoiceOf(
  workspaceId: string,
  month: string,
  drawnUnits: number,
  packages: readonly { kind: string; units: number; reference: string | null }[],
): Invoice {
  const lines: InvoiceLine[] = [
    {
      description: "Requests from the monthly allowance",
      units: drawnUnits,
      amount_microdollars: priceMicrodollars(drawnUnits),
      is_paid: false,
      reference: null,
    },
    ...packages.map((grant) => ({
      description: `Add-on package ${grant.kind}`,
      units: grant.units,
      amount_microdollars: priceMicrodollars(grant.units),
      is_paid: true,
      reference: grant.reference,
    })),
  ].filter((line) => line.units > 0);
  const cents = (isPaid: boolean) =>
    toCents(lines.reduce((sum, line) => sum + (line.is_paid === isPaid ? line.amount_microdollars : 0), 0));
  const [paid_cents, due_cents] = [cents(true), cents(false)];
  return {
    workspace_id: workspaceId,
    month,
    issued_at: boundsOf(month).before,
    lines,
    total_cents: paid_cents + due_cents,
    paid_cents,
    due_cents,
  };
}
