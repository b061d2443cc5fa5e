// Buying an add-on package, with a checkout at the payment provider where there is one.
import { recordAuditEntry } from "../../accounts/audit/audit.ts";
import type { Config } from "../../config.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import type { billingOperations } from "../../contract/console/operations/billing.ts";
import { type PackagePayment, setReference } from "../../metering/payments/payments.store.ts";
import { beginPurchase, failPayment, type Purchase } from "../../metering/payments/payments.ts";
import {
  type Checkout,
  CheckoutFailed,
  manualProvider,
  type PaymentProvider,
} from "../../metering/payments/provider.ts";
import { stripeProvider } from "../../metering/payments/stripe.ts";
import type { PackageName } from "../../metering/quota/quota.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { auditActorOf } from "../actor.ts";
import type { OwnTransactionCall } from "../call.ts";
import type { HandlerOf } from "../handler.ts";
import { readPaymentRecord } from "../records.ts";

export const providerOf = ({ stripe }: Config): PaymentProvider => (stripe ? stripeProvider(stripe) : manualProvider);

export const buyPackage: HandlerOf<(typeof billingOperations)["postPurchase"]> = async (call, { body }) => {
  const { context, workspaceId } = call;
  const provider = providerOf(context.config);
  const { payment, isCredited } = await context.database.transaction((transaction) =>
    begin(transaction, call, provider, body),
  );
  const { openCheckout } = provider;
  const isDue = openCheckout !== null && payment.status === "open" && payment.provider === provider.name;
  const checkout = isDue ? await beginCheckout(call, payment, openCheckout) : undefined;
  const record = await context.database.read((transaction) => readPaymentRecord(transaction, workspaceId, payment.id));
  return { data: { payment: record, checkout_url: checkout?.url ?? null, credited: isCredited } };
};

async function begin(
  transaction: Transaction,
  { workspaceId, actor }: OwnTransactionCall,
  provider: PaymentProvider,
  { package: name, purchaseId }: { readonly package: PackageName; readonly purchaseId: string },
): Promise<Purchase> {
  if (!actor) throw consoleErrors.signInRequired();
  const request = { package: name, purchaseId, personId: actor.personId, isBoundByCredit: !actor.isOperator };
  const purchase = await beginPurchase(transaction, workspaceId, request, provider);
  const { payment, isNew, isCredited } = purchase;
  if (isNew)
    recordAuditEntry(transaction, workspaceId, auditActorOf(actor), {
      action: "purchase.create",
      target: { kind: "payment", id: payment.id, name },
      after: { package: name, amount_cents: payment.amount_cents, provider: provider.name, credited: isCredited },
    });
  return purchase;
}

/** Runs after the commit, so that no transaction waits for the provider. @throws Refusal `bad_gateway` */
async function beginCheckout(
  { context, workspaceId, requestId }: OwnTransactionCall,
  payment: PackagePayment,
  openCheckout: NonNullable<PaymentProvider["openCheckout"]>,
): Promise<Checkout> {
  const { database, log, origin } = context;
  try {
    const checkout = await openCheckout(payment, `${origin}/console/w/${workspaceId}/billing`);
    await database.transaction(async (transaction) =>
      setReference(transaction, workspaceId, payment.id, checkout.reference),
    );
    return checkout;
  } catch (error) {
    if (!(error instanceof CheckoutFailed)) throw error;
    log.write("error", "could not create a checkout session", { requestId, cause: error.message });
    if (!error.isRetryable) await database.transaction((transaction) => failPayment(transaction, payment));
    throw consoleErrors.paymentProviderFailed(error.isRetryable);
  }
}
