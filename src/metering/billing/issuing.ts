// Issuing invoices: an invoice gets its number, seller, buyer, and tax once, and never changes afterwards. A job issues those of a finished
// month; one that is opened before is issued at once.
import { findWorkspace, lockForWorkspaceChange } from "../../accounts/workspaces/workspaces.store.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import type { YieldToCalls } from "../../platform/jobs.ts";
import { monthOf } from "../../platform/time.ts";
import type { BilledFrom } from "./billed-months.ts";
import { findInvoice, type Invoice, previewInvoice } from "./invoices.ts";
import * as store from "./issuing.store.ts";

/** Who issues invoices, and how, from the settings. */
export interface Issuer {
  readonly seller: store.Seller;
  readonly tax: store.Tax | null;
  /** What every number begins with. */
  readonly numberPrefix: string;
  /** False where the settings name no seller. The address of the instance replaces it, and no invoice is issued. */
  readonly isNamed: boolean;
  readonly billedFrom: BilledFrom;
}

/** @param origin the instance's address */
export const issuerOf = (
  {
    seller,
    tax,
    invoicePrefix,
    billedFrom,
  }: { seller: store.Seller | undefined; tax: store.Tax | null; invoicePrefix: string; billedFrom: BilledFrom },
  origin: string,
): Issuer => ({
  seller: seller ?? { name: new URL(origin).host, address: [origin], tax_id: null, bank: [] },
  tax,
  numberPrefix: invoicePrefix,
  isNamed: seller !== undefined,
  billedFrom,
});

export type OpenedInvoice = Invoice & store.Terms & { readonly net_cents: number; readonly tax_cents: number };

/** One month's invoice, issued if it was not; undefined where there is none. */
export async function openInvoice(
  transaction: Transaction,
  workspaceId: string,
  month: string,
  issuer: Issuer,
): Promise<OpenedInvoice | undefined> {
  const invoice = await findInvoice(transaction, workspaceId, month, issuer.billedFrom);
  if (!invoice) return undefined;
  const { terms, ...issue } = await issueInvoice(transaction, workspaceId, month, issuer);
  return withTax({ ...invoice, ...issue }, terms);
}

/** What the invoice of this month would be now. */
export async function openPreview(
  transaction: Transaction,
  workspaceId: string,
  { seller, tax }: Issuer,
): Promise<OpenedInvoice> {
  const invoice = await previewInvoice(transaction, workspaceId);
  return withTax(invoice, { seller, billed_to: await findBilledTo(transaction, workspaceId), tax });
}

const withTax = (invoice: Invoice, terms: store.Terms): OpenedInvoice => {
  const tax_cents = taxCents(invoice.total_cents, terms.tax);
  return { ...invoice, ...terms, net_cents: invoice.total_cents - tax_cents, tax_cents };
};

const basisPointsOfAll = 10_000;

/** The tax that an amount includes, rounded half up to whole cents, once for an invoice. */
export function taxCents(totalCents: number, tax: store.Tax | null): number {
  if (!tax) return 0;
  const divisor = 2 * (basisPointsOfAll + tax.basis_points);
  return Number((2n * BigInt(totalCents) * BigInt(tax.basis_points) + BigInt(divisor / 2)) / BigInt(divisor));
}

/** Issues an invoice, or reads how it was issued. Without a named seller, it stays a draft. */
async function issueInvoice(transaction: Transaction, workspaceId: string, month: string, issuer: Issuer) {
  const { seller, tax, numberPrefix: prefix, isNamed } = issuer;
  const find = async () => {
    const issue = (await store.findIssues(transaction, workspaceId)).get(month);
    return issue && { number: issue.number, issued_at: issue.issued_at, terms: termsOf(issue) };
  };
  const found = await find();
  if (found) return found;
  const terms: store.Terms = { seller, billed_to: await findBilledTo(transaction, workspaceId), tax };
  if (!isNamed) return { terms };
  // A workspace that is being removed stays until this is done.
  lockForWorkspaceChange(transaction, workspaceId);
  const newest = await store.lockNumbers(transaction, prefix);
  // Another call may have issued it before this one got the lock.
  const foundLocked = await find();
  if (foundLocked) return foundLocked;
  store.insertIssue(transaction, workspaceId, month, prefix, newest + 1, terms);
  return (await find()) ?? { terms };
}

const termsOf = ({ seller, billed_to, tax }: store.Issue): store.Terms => ({ seller, billed_to, tax });

const monthsAtOnce = 256;

/** Issues all invoices of the finished months that are billed. @param yieldToCalls called before each portion. @returns how many were issued */
export async function issueInvoices(
  database: Database,
  issuer: Issuer,
  yieldToCalls: YieldToCalls = async () => true,
): Promise<number> {
  const { billedFrom, isNamed } = issuer;
  if (billedFrom === undefined || !isNamed) return 0;
  let issued = 0;
  let last: store.MonthToIssue | undefined = { workspace_id: "00000000-0000-0000-0000-000000000000", month: "" };
  while (last && (await yieldToCalls())) {
    const after: store.MonthToIssue = last;
    const due = await database.read((transaction) =>
      store.listMonthsToIssue(transaction, after, { from: billedFrom, before: monthOf(transaction.now) }, monthsAtOnce),
    );
    for (const { workspace_id, month } of due) {
      await database.transaction((transaction) => issueInvoice(transaction, workspace_id, month, issuer));
      issued += 1;
    }
    last = due.length < monthsAtOnce ? undefined : due.at(-1);
  }
  return issued;
}

/** The buyer of the next invoice: the billing details, else the workspace's name. */
export async function findBilledTo(transaction: Transaction, workspaceId: string): Promise<store.Party> {
  const details = await store.findDetails(transaction, workspaceId);
  if (details) return details;
  const workspace = await findWorkspace(transaction, workspaceId);
  return { name: workspace?.name ?? "", address: [], tax_id: null };
}
