// Recording: the operator enters a payment that arrived, for a package or for a whole invoice.

import { consoleErrors } from "../../contract/console/errors.ts";
import { isUuid } from "../../contract/uuid.ts";
import type { Transaction } from "../../platform/database/database.ts";
import type { BilledFrom } from "../billing/billed-months.ts";
import { findInvoice } from "../billing/invoices.ts";
import { listGrants, lockForBalanceChange } from "../quota/quota.store.ts";
import { grantPackage } from "../quota/quota.ts";
import * as store from "./payments.store.ts";
import { isPackagePayment, packageReference, paymentIdOfReference } from "./payments.ts";

/** A payment that arrived at the operator. */
export interface ReceivedPayment {
  /** The operator's name for the payment. Entered twice with the same reference, it is one payment. */
  readonly reference: string;
  /** The person who enters it. */
  readonly personId: string;
}

export interface Recording {
  readonly payment: store.PaymentRow;
  /** The payments that are settled by this recording: none when it was recorded before with the same reference. */
  readonly settled: readonly store.PaymentRow[];
}

/**
 * Records that a package was paid. One that waits for the provider's report is credited by this.
 * @throws Refusal `not_found`; `conflict` for a payment that was recorded with another reference or failed, and for a used reference
 */
export async function recordPackage(
  transaction: Transaction,
  workspaceId: string,
  paymentId: string,
  { reference }: ReceivedPayment,
): Promise<Recording> {
  const payment = isUuid(paymentId)
    ? await store.lockForPaymentChange(transaction, workspaceId, paymentId.toLowerCase())
    : undefined;
  if (!isPackagePayment(payment)) throw consoleErrors.notFound("payment");
  if (payment.status === "paid" && payment.reference === reference) return { payment, settled: [] };
  if (payment.status === "paid") throw consoleErrors.paidBefore("package");
  if (payment.status === "failed") throw consoleErrors.paymentFailed();
  await claimReference(transaction, reference);
  store.settlePayment(transaction, payment, "paid", reference);
  await grantPackage(transaction, workspaceId, payment.subject, packageReference(payment.id));
  const paid = paidBy(transaction, payment, reference);
  return { payment: paid, settled: [paid] };
}

/**
 * Records that an invoice was paid: all that was due on it, its packages too.
 * @throws Refusal `not_found`; `conflict` for an invoice that was paid with another reference or has nothing due, and for a used reference
 */
export async function recordInvoice(
  transaction: Transaction,
  workspaceId: string,
  month: string,
  { reference, personId }: ReceivedPayment,
  billedFrom: BilledFrom,
): Promise<Recording> {
  // No call needs a month that is over. Two recordings of the same invoice run one after the other here.
  lockForBalanceChange(transaction, workspaceId, month);
  const earlier = await store.findInvoicePayment(transaction, workspaceId, month);
  if (earlier?.reference === reference) return { payment: earlier, settled: [] };
  const invoice = await findInvoice(transaction, workspaceId, month, billedFrom);
  if (!invoice) throw consoleErrors.notFound("invoice");
  if (invoice.due_cents === 0)
    throw invoice.paid_at === null ? consoleErrors.nothingDue() : consoleErrors.paidBefore("invoice");
  const packages = await lockOpenPackages(transaction, workspaceId, month);
  await claimReference(transaction, reference);
  for (const one of packages) store.settlePayment(transaction, one, "paid", reference);
  const payment: store.PaymentRow = {
    workspace_id: workspaceId,
    id: transaction.newId(),
    provider: "manual",
    reference,
    purpose: "invoice",
    subject: month,
    amount_cents: invoice.due_cents - packages.reduce((sum, one) => sum + one.amount_cents, 0),
    status: "paid",
    requested_by: personId,
    created_at: transaction.now,
    settled_at: transaction.now,
  };
  await store.insertPayment(transaction, payment);
  return { payment, settled: [payment, ...packages.map((one) => paidBy(transaction, one, reference))] };
}

async function claimReference(transaction: Transaction, reference: string): Promise<void> {
  if (!(await store.insertEvent(transaction, "manual", reference))) throw consoleErrors.referenceUsed();
}

/** The packages of a month that were credited and are not paid yet. */
async function lockOpenPackages(transaction: Transaction, workspaceId: string, month: string) {
  const grants = await listGrants(transaction, workspaceId, month);
  const ids = grants.flatMap(({ reference }) => paymentIdOfReference(reference) ?? []);
  return ids.length === 0 ? [] : store.lockForOpenPayments(transaction, workspaceId, ids);
}

const paidBy = (transaction: Transaction, payment: store.PaymentRow, reference: string): store.PaymentRow => ({
  ...payment,
  status: "paid",
  reference,
  settled_at: transaction.now,
});
