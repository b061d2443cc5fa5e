// The console's operations about price, packages, invoices and payments.

import { recordAuditEntry } from "../../accounts/audit/audit.ts";
import { findWorkspace } from "../../accounts/workspaces/workspaces.store.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import type { billingOperations } from "../../contract/console/operations/billing.ts";
import type { ConsoleResult } from "../../contract/console/operations.ts";
import { listInvoices, openCents } from "../../metering/billing/invoices.ts";
import { findDetails, saveDetails } from "../../metering/billing/parties.store.ts";
import { findBilledTo, type OpenedInvoice, openInvoice, sellerOf } from "../../metering/billing/parties.ts";
import { microdollarsPerUnit, priceInWords, priceMicrodollars, toCents } from "../../metering/billing/price.ts";
import {
  findPayment,
  listPayments,
  type PackagePayment,
  type PaymentRow,
  setReference,
} from "../../metering/payments/payments.store.ts";
import { beginPurchase, giveUp, isOfPackage, packagePriceCents } from "../../metering/payments/payments.ts";
import {
  type Checkout,
  CheckoutFailed,
  manualProvider,
  type PaymentProvider,
} from "../../metering/payments/provider.ts";
import { recordInvoice, recordPackage } from "../../metering/payments/recording.ts";
import { stripeProvider } from "../../metering/payments/stripe.ts";
import { type PackageName, packages, showQuota } from "../../metering/quota/quota.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import { boundsOfMonth } from "../../platform/time.ts";
import { auditActorOf, type ConsoleCall, type ConsoleVisit } from "../call.ts";
import type { HandlersOf } from "../handler.ts";
import { pageOf, parseTimeCursor } from "../paging.ts";

export const billingHandlers: HandlersOf<typeof billingOperations> = {
  getBilling: async ({ instance, transaction, workspaceId }) => {
    const workspace = await findWorkspace(transaction, workspaceId);
    if (!workspace) throw consoleErrors.notFound("workspace");
    const { month, granted, used, remaining, used_of_allowance, grants } = await showQuota(transaction, workspaceId);
    const amount_microdollars = priceMicrodollars(used_of_allowance);
    return {
      data: {
        provider: providerOf(instance.config).name,
        unit_price: priceInWords(),
        monthly_requests: workspace.monthly_requests,
        packages: packageNames.map((name) => ({ name, units: packages[name], price_cents: packagePriceCents(name) })),
        this_month: {
          ...{ month, granted, used, remaining, used_of_allowance, amount_microdollars },
          unit_price_microdollars: microdollarsPerUnit,
          amount_cents: toCents(amount_microdollars),
          grants: grants.map(({ kind, units, remaining: left, reference, created_at }) => ({
            ...{ kind, units, remaining: left, reference, created_at },
          })),
          ends_at: boundsOfMonth(month).before,
        },
        open_cents: await openCents(transaction, workspaceId),
        billed_to: await findBilledTo(transaction, workspaceId),
      },
    };
  },

  putBillingDetails: async ({ transaction, workspaceId, actor }, { body }) => {
    const before = await findDetails(transaction, workspaceId);
    const after = { name: body.name, address: body.address, tax_id: body.taxId };
    saveDetails(transaction, workspaceId, after);
    recordAuditEntry(transaction, workspaceId, auditActorOf(actor), {
      action: "billing_details.change",
      target: { kind: "billing_details", id: null, name: after.name },
      ...(before && { before: { ...before } }),
      after,
    });
    return { data: after };
  },

  postPurchase: async (visit, { body }) => {
    const { instance, workspaceId } = visit;
    const provider = providerOf(instance.config);
    const { payment, isCredited } = await instance.database.transaction((transaction) =>
      purchase(transaction, visit, provider, body),
    );
    const { openCheckout } = provider;
    const isToPay = openCheckout !== null && payment.status === "open" && payment.provider === provider.name;
    const checkout = isToPay ? await checkoutOf(visit, payment, openCheckout) : undefined;
    const shown = await instance.database.read((transaction) => showPayment(transaction, workspaceId, payment.id));
    return { data: { payment: shown, checkout_url: checkout?.url ?? null, credited: isCredited } };
  },

  getInvoices: async ({ transaction, workspaceId }) => ({ data: await listInvoices(transaction, workspaceId) }),

  getInvoice: async (call, { query }) => ({ data: await requireInvoice(call, query.month) }),

  getInvoicePdf: async ({ instance, workspaceId }, { query }) => {
    const invoice = await instance.database.transaction((transaction) =>
      requireInvoice({ instance, transaction, workspaceId }, query.month),
    );
    // Some megabytes that most starts never need.
    const { renderInvoice } = await import("../../metering/billing/invoice-pdf.ts");
    const body = await renderInvoice(invoice, instance.config.invoiceFont);
    return { body, fileName: `${invoice.number}.pdf` };
  },

  getPayments: async ({ transaction, workspaceId }, { query }) => {
    const [created_at, id] = parseTimeCursor(query.cursor) ?? [];
    const after = created_at && id ? { created_at, id } : undefined;
    const rows = await listPayments(transaction, workspaceId, after, query.limit + 1);
    const { page, nextCursor } = pageOf(rows, query.limit, (row) => [row.created_at, row.id]);
    return { data: page.map((row) => toRecord(row, row.requester)), nextCursor };
  },

  postPayment: async (call, { body }) => {
    const { transaction, workspaceId, actor } = call;
    const { purpose, subject } = body;
    const record = purpose === "package" ? recordPackage : recordInvoice;
    const received = { reference: body.reference.trim(), personId: actor.personId };
    const { payment, settled } = await record(transaction, workspaceId, subject, received);
    for (const one of settled) writeDown(call, one);
    return { data: await showPayment(transaction, workspaceId, payment.id) };
  },
};

// Object.keys is typed as string[]; the keys of this constant are exactly its names.
const packageNames = Object.keys(packages) as PackageName[];

const providerOf = ({ stripe }: ConsoleCall["instance"]["config"]): PaymentProvider =>
  stripe ? stripeProvider(stripe) : manualProvider;

async function purchase(
  transaction: Transaction,
  { workspaceId, actor }: ConsoleVisit,
  provider: PaymentProvider,
  { package: name, purchaseId }: { package: PackageName; purchaseId: string },
) {
  if (!actor) throw consoleErrors.signInRequired();
  const begun = await beginPurchase(
    transaction,
    workspaceId,
    { package: name, purchaseId, personId: actor.personId },
    provider,
  );
  const { payment, isNew, isCredited } = begun;
  if (isNew)
    recordAuditEntry(transaction, workspaceId, auditActorOf(actor), {
      action: "purchase.create",
      target: { kind: "payment", id: payment.id, name },
      after: { package: name, amount_cents: payment.amount_cents, provider: provider.name, credited: isCredited },
    });
  return begun;
}

/** Asked for after the commit: nobody waits for a provider with the database in hand. */
async function checkoutOf(
  { instance, workspaceId, requestId }: ConsoleVisit,
  payment: PackagePayment,
  openCheckout: NonNullable<PaymentProvider["openCheckout"]>,
): Promise<Checkout> {
  const { database, log, origin } = instance;
  try {
    const checkout = await openCheckout(payment, `${origin}/console/w/${workspaceId}/billing`);
    await database.transaction(async (transaction) =>
      setReference(transaction, workspaceId, payment.id, checkout.reference),
    );
    return checkout;
  } catch (error) {
    if (!(error instanceof CheckoutFailed)) throw error;
    log.write("error", "no checkout could be opened", { requestId, cause: error.message });
    if (!error.mayBeTriedAgain) await giveUpOn(database, payment);
    throw consoleErrors.paymentProviderFailed(error.mayBeTriedAgain);
  }
}

const giveUpOn = (database: Database, payment: PaymentRow): Promise<void> =>
  database.transaction((transaction) => giveUp(transaction, payment));

async function requireInvoice(
  { instance, transaction, workspaceId }: Pick<ConsoleCall, "instance" | "transaction" | "workspaceId">,
  month: string,
): Promise<OpenedInvoice> {
  const seller = sellerOf(instance.config.seller, instance.origin);
  const invoice = await openInvoice(transaction, workspaceId, month, seller);
  if (!invoice) throw consoleErrors.notFound("invoice");
  return invoice;
}

type PaymentRecord = ConsoleResult<"getPayments">["data"][number];

const toRecord = (row: PaymentRow, requester: string | null): PaymentRecord => ({
  id: row.id,
  provider: row.provider,
  purpose: row.purpose,
  subject: row.subject,
  units: isOfPackage(row) ? packages[row.subject] : null,
  amount_cents: row.amount_cents,
  status: row.status,
  reference: row.reference,
  requested_by: requester,
  created_at: row.created_at,
  settled_at: row.settled_at,
});

async function showPayment(transaction: Transaction, workspaceId: string, id: string): Promise<PaymentRecord> {
  const row = await findPayment(transaction, workspaceId, id);
  if (!row) throw new Error(`payment ${id} is gone`);
  return toRecord(row, row.requester);
}

const writeDown = ({ transaction, workspaceId, actor }: ConsoleCall, payment: PaymentRow): void =>
  recordAuditEntry(transaction, workspaceId, auditActorOf(actor), {
    action: "payment.record",
    target: { kind: "payment", id: payment.id, name: `${payment.purpose} ${payment.subject}` },
    before: { status: "open" },
    after: { status: payment.status, amount_cents: payment.amount_cents, reference: payment.reference },
  });
