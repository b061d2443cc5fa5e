// Payments: a package is credited once and an invoice settled once, however often the payment is reported (decisions, Quota and invoices).
import { createHash } from "node:crypto";
import { findWorkspace, lockForWorkspaceChange } from "../../accounts/workspaces/workspaces.store.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { priceMicrodollars, toCents } from "../billing/price.ts";
import { grantPackage, type PackageName, packages } from "../quota/quota.ts";
import { requireCredit } from "./credit.ts";
import * as store from "./payments.store.ts";
import type { PaymentProvider, PaymentReport } from "./provider.ts";

export const currency = "usd";

/** The reference by which the grant of a package names its payment. */
export const packageReference = (paymentId: string): string => `payment:${paymentId}`;

/** The payment of a grant's reference; undefined for a package that was granted by command. */
export const paymentIdOfReference = (reference: string | null): string | undefined =>
  /^payment:([0-9a-f-]{36})$/.exec(reference ?? "")?.[1];

export const packagePriceCents = (name: PackageName): number => toCents(priceMicrodollars(packages[name]));

export interface PurchaseRequest {
  readonly package: PackageName;
  /** Made by the buyer, so that the same purchase sent twice is one. */
  readonly purchaseId: string;
  readonly personId: string;
  /** False for the operator, who sets the limit. */
  readonly isBoundByCredit: boolean;
}

export interface Purchase {
  readonly isNew: boolean;
  readonly payment: store.PackagePayment;
  readonly isCredited: boolean;
}

/**
 * Records that a package is bought, and credits it where the provider is paid later, within the credit limit.
 * @throws Refusal `conflict` without an active subscription, beyond the credit limit, and for a purchaseId of another package
 */
export async function beginPurchase(
  transaction: Transaction,
  workspaceId: string,
  { package: subject, purchaseId, personId, isBoundByCredit }: PurchaseRequest,
  { name: provider, openCheckout }: PaymentProvider,
): Promise<Purchase> {
  // Purchases run one after another: two must not both find room for one.
  lockForWorkspaceChange(transaction, workspaceId);
  const workspace = await findWorkspace(transaction, workspaceId);
  if (workspace?.subscription !== "active") throw consoleErrors.subscriptionInactive();
  const id = paymentIdOf(workspaceId, purchaseId);
  const earlier = await store.findPayment(transaction, workspaceId, id);
  if (earlier) {
    if (!isPackagePayment(earlier) || earlier.subject !== subject) throw consoleErrors.purchaseIdUsed();
    return { isNew: false, payment: earlier, isCredited: false };
  }
  const payment: store.PackagePayment = {
    workspace_id: workspaceId,
    id,
    provider,
    reference: null,
    purpose: "package",
    subject,
    amount_cents: packagePriceCents(subject),
    status: "open",
    requested_by: personId,
    created_at: transaction.now,
    settled_at: null,
  };
  const isOnCredit = openCheckout === null;
  if (isOnCredit && isBoundByCredit) await requireCredit(transaction, workspaceId, payment.amount_cents);
  await store.insertPayment(transaction, payment);
  return { isNew: true, payment, isCredited: isOnCredit && (await creditPackage(transaction, payment)) };
}

/** The client chooses the id of its purchase. The id of the payment is unique even if another workspace chooses the same. */
function paymentIdOf(workspaceId: string, purchaseId: string): string {
  const hex = createHash("sha256").update(`${workspaceId} ${purchaseId}`).digest("hex");
  // A UUID of version 8, which is for custom schemes.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function isPackagePayment(payment: store.PaymentRow | undefined): payment is store.PackagePayment {
  return payment?.purpose === "package" && Object.hasOwn(packages, payment.subject);
}

async function creditPackage(transaction: Transaction, { workspace_id, id, subject }: store.PackagePayment) {
  const { credited } = await grantPackage(transaction, workspace_id, subject, packageReference(id));
  return credited;
}

/** Marks an open payment as failed, after the provider refused it. */
export async function failPayment(transaction: Transaction, { workspace_id, id }: store.PaymentRow): Promise<void> {
  const payment = await store.lockForPaymentChange(transaction, workspace_id, id);
  if (payment?.status === "open") store.settlePayment(transaction, payment, "failed", payment.reference);
}

/** The outcome of a report. Only the first two change something. */
export type ReportOutcome =
  | { readonly kind: "paid"; readonly payment: store.PackagePayment; readonly isCredited: boolean }
  | { readonly kind: "failed"; readonly payment: store.PaymentRow }
  | { readonly kind: "known" | "unknown" }
  /** Another amount or currency was paid: nothing is credited, and a person has to check it. */
  | { readonly kind: "mismatch"; readonly payment: store.PaymentRow }
  /** Paid twice, by two checkouts or by hand before: a person has to refund it. */
  | { readonly kind: "paid before"; readonly payment: store.PaymentRow };

/** Settles the payment that a provider reports. Reports may arrive twice, late and in any order. */
export async function settleReport(
  transaction: Transaction,
  provider: store.PaymentRow["provider"],
  report: PaymentReport,
): Promise<ReportOutcome> {
  const { workspaceId, paymentId, reference, outcome } = report;
  const payment = await store.lockForPaymentChange(transaction, workspaceId, paymentId);
  if (!isPackagePayment(payment) || payment.provider !== provider) return { kind: "unknown" };
  if (!(await store.insertEvent(transaction, provider, report.eventId))) return { kind: "known" };
  const isOfAnother = payment.reference !== null && payment.reference !== reference;
  if (outcome === "failed") {
    if (payment.status !== "open" || isOfAnother) return { kind: "known" };
    store.settlePayment(transaction, payment, "failed", reference);
    return { kind: "failed", payment };
  }
  if (payment.status === "paid") return { kind: isOfAnother ? "paid before" : "known", payment };
  if (report.amountCents !== payment.amount_cents || report.currency !== currency) return { kind: "mismatch", payment };
  store.settlePayment(transaction, payment, "paid", reference);
  return { kind: "paid", payment, isCredited: await creditPackage(transaction, payment) };
}
