// Recording: the operator writes down that money came, for a package or for a whole invoice.

import type { Transaction } from "../../platform/database/database.ts";
import { findInvoice } from "../billing/invoices.ts";
import { holdMonth, listGrants } from "../quota/quota.store.ts";
import { grantPackage } from "../quota/quota.ts";
import * as store from "./payments.store.ts";
import { isOfPackage, packageReference, paymentOfReference as paymentIdOf } from "./payments.ts";

export interface Came {
  /** What the operator finds the money by again. The same reference says the same once more. */
  readonly reference: string;
  readonly personId: string;
}

export type Recorded =
  | {
      readonly kind: "recorded";
      readonly payment: store.PaymentRow;
      /** Packages that were settled with an invoice. */
      readonly packages: readonly store.PaymentRow[];
    }
  /** Recorded before, with the same reference: nothing was changed. */
  | { readonly kind: "known"; readonly payment: store.PaymentRow }
  | { readonly kind: "no such payment" | "no such invoice" }
  | { readonly kind: "paid before" | "given up" | "nothing due" | "reference used" };

/** Records that a package was paid. One that waits for the provider's word is credited by it. */
export async function recordPackage(
  transaction: Transaction,
  workspaceId: string,
  paymentId: string,
  { reference }: Came,
): Promise<Recorded> {
  const payment = await store.holdPayment(transaction, workspaceId, paymentId);
  if (!isOfPackage(payment)) return { kind: "no such payment" };
  if (payment.status === "paid") return payment.reference === reference ? { kind: "known", payment } : paidBefore;
  if (payment.status === "failed") return { kind: "given up" };
  if (!(await store.insertEvent(transaction, "manual", reference))) return { kind: "reference used" };
  store.settlePayment(transaction, payment, "paid", reference);
  await grantPackage(transaction, workspaceId, payment.subject, packageReference(payment.id));
  return { kind: "recorded", payment: paid(transaction, payment, reference), packages: [] };
}

/** Records that an invoice was paid: all that was due on it, the packages among it too. */
export async function recordInvoice(
  transaction: Transaction,
  workspaceId: string,
  month: string,
  { reference, personId }: Came,
): Promise<Recorded> {
  // No call needs a month that is over: whoever records the same invoice stands in line here.
  holdMonth(transaction, workspaceId, month);
  const earlier = await store.findInvoicePayment(transaction, workspaceId, month);
  if (earlier?.reference === reference) return { kind: "known", payment: earlier };
  const invoice = await findInvoice(transaction, workspaceId, month);
  if (!invoice) return { kind: "no such invoice" };
  if (invoice.due_cents === 0) return invoice.paid_at === null ? { kind: "nothing due" } : paidBefore;
  const packages = await holdOpenPackages(transaction, workspaceId, month);
  if (!(await store.insertEvent(transaction, "manual", reference))) return { kind: "reference used" };
  for (const one of packages) store.settlePayment(transaction, one, "paid", reference);
  const settled = packages.map((one) => paid(transaction, one, reference));
  const amount_cents = invoice.due_cents - packages.reduce((sum, one) => sum + one.amount_cents, 0);
  const payment: store.PaymentRow = {
    workspace_id: workspaceId,
    id: transaction.newId(),
    ...{ provider: "manual", reference, purpose: "invoice", subject: month, amount_cents, status: "paid" },
    ...{ requested_by: personId, created_at: transaction.now, settled_at: transaction.now },
  };
  await store.insertPayment(transaction, payment);
  return { kind: "recorded", payment, packages: settled };
}

/** The packages of a month that were credited and are not paid yet. */
async function holdOpenPackages(transaction: Transaction, workspaceId: string, month: string) {
  const grants = await listGrants(transaction, workspaceId, month);
  const ids = grants.flatMap(({ reference }) => paymentIdOf(reference) ?? []);
  return ids.length === 0 ? [] : store.holdOpen(transaction, workspaceId, ids);
}

const paidBefore = { kind: "paid before" } as const;

const paid = (transaction: Transaction, payment: store.PaymentRow, reference: string): store.PaymentRow => ({
  ...{ ...payment, status: "paid", reference, settled_at: transaction.now },
});
