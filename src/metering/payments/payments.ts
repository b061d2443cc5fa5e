// Payments: a package is credited once and an invoice settled once, whoever reports it how often (decisions, section 10).
import { createHash } from "node:crypto";
import { findWorkspace } from "../../accounts/workspaces/workspaces.store.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { priceMicrodollars, toCents } from "../billing/price.ts";
import { grantPackage, type PackageName, packages } from "../quota/quota.ts";
import * as store from "./payments.store.ts";
import type { PaymentProvider, PaymentReport } from "./provider.ts";

export const currency = "usd";

/** By what the grant of a package names its payment. */
export const packageReference = (paymentId: string): string => `payment:${paymentId}`;

/** The other way round; undefined for what was granted by command. */
export const paymentOfReference = (reference: string | null): string | undefined =>
  /^payment:([0-9a-f-]{36})$/.exec(reference ?? "")?.[1];

export const packagePriceCents = (name: PackageName): number => toCents(priceMicrodollars(packages[name]));

export interface PurchaseRequest {
  readonly package: PackageName;
  /** Made by the buyer, so that the same purchase sent twice is one. */
  readonly purchaseId: string;
  readonly personId: string;
}

export interface Purchase {
  readonly isNew: boolean;
  readonly payment: store.PackagePayment;
  readonly isCredited: boolean;
}

/**
 * Records that a package is bought, and credits it where the provider is paid later.
 * @throws Refusal `conflict` without an active subscription, and for a purchaseId of another package
 */
export async function beginPurchase(
  transaction: Transaction,
  workspaceId: string,
  { package: subject, purchaseId, personId }: PurchaseRequest,
  { name: provider, openCheckout }: PaymentProvider,
): Promise<Purchase> {
  const workspace = await findWorkspace(transaction, workspaceId);
  if (workspace?.subscription !== "active") throw consoleErrors.subscriptionInactive();
  const payment: store.PackagePayment = {
    workspace_id: workspaceId,
    id: paymentIdOf(workspaceId, purchaseId),
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
  if (await store.insertPayment(transaction, payment)) {
    const isCredited = openCheckout === null && (await creditPackage(transaction, payment));
    return { isNew: true, payment, isCredited };
  }
  const earlier = await store.findPayment(transaction, workspaceId, payment.id);
  if (!isOfPackage(earlier) || earlier.subject !== subject) throw consoleErrors.purchaseIdUsed();
  return { isNew: false, payment: earlier, isCredited: false };
}

/** The id of a purchase is the client's choice; the payment's is its alone, in whatever workspace it chose the same. */
function paymentIdOf(workspaceId: string, purchaseId: string): string {
  const hex = createHash("sha256").update(`${workspaceId} ${purchaseId}`).digest("hex");
  // A UUID of version 8, which is for what is made like this.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function isOfPackage(payment: store.PaymentRow | undefined): payment is store.PackagePayment {
  return payment?.purpose === "package" && Object.hasOwn(packages, payment.subject);
}

async function creditPackage(transaction: Transaction, { workspace_id, id, subject }: store.PackagePayment) {
  const { credited } = await grantPackage(transaction, workspace_id, subject, packageReference(id));
  return credited;
}

/** The provider refused: nobody will pay this one. */
export async function giveUp(transaction: Transaction, { workspace_id, id }: store.PaymentRow): Promise<void> {
  const payment = await store.holdPayment(transaction, workspace_id, id);
  if (payment?.status === "open") store.settlePayment(transaction, payment, "failed", payment.reference);
}

/** What became of a report. Only the first two changed something. */
export type Settled =
  | { readonly kind: "paid"; readonly payment: store.PackagePayment; readonly isCredited: boolean }
  | { readonly kind: "failed"; readonly payment: store.PaymentRow }
  | { readonly kind: "known" | "unknown" }
  /** What was paid is not what is to be paid: nothing is credited, and somebody has to look. */
  | { readonly kind: "mismatch"; readonly payment: store.PaymentRow }
  /** Paid twice, by two checkouts or by hand before: somebody has to pay back. */
  | { readonly kind: "paid before"; readonly payment: store.PaymentRow };

/** Settles what a provider reports. Events may come twice, late and in any order. */
export async function settleReport(
  transaction: Transaction,
  provider: store.PaymentRow["provider"],
  report: PaymentReport,
): Promise<Settled> {
  const { workspaceId, paymentId, reference, outcome } = report;
  const payment = await store.holdPayment(transaction, workspaceId, paymentId);
  if (!isOfPackage(payment) || payment.provider !== provider) return { kind: "unknown" };
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
