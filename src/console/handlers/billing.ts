// Handlers of price, packages, invoices and payments.
import { recordAuditEntry } from "../../accounts/audit/audit.ts";
import { requireWorkspace } from "../../accounts/workspaces/workspaces.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import type { billingOperations } from "../../contract/console/operations/billing.ts";
import { listInvoices, openCents } from "../../metering/billing/invoices.ts";
import { findDetails, saveDetails } from "../../metering/billing/issuing.store.ts";
import {
  findBilledTo,
  issuerOf,
  type OpenedInvoice,
  openInvoice,
  openPreview,
} from "../../metering/billing/issuing.ts";
import { microdollarsPerUnit, priceInWords, priceMicrodollars, toCents, usd } from "../../metering/billing/price.ts";
import { changeCreditLimit, readCredit } from "../../metering/payments/credit.ts";
import { listPayments, type PaymentRow } from "../../metering/payments/payments.store.ts";
import { packagePriceCents } from "../../metering/payments/payments.ts";
import { recordInvoice, recordPackage } from "../../metering/payments/recording.ts";
import { type PackageName, packages, readQuota } from "../../metering/quota/quota.ts";
import { boundsOfMonth, monthInWords } from "../../platform/time.ts";
import { auditActorOf } from "../actor.ts";
import type { ConsoleCall } from "../call.ts";
import type { HandlersOf } from "../handler.ts";
import { pageOf, parseTimeCursor } from "../paging.ts";
import { readPaymentRecord, toGrantRecord, toPaymentRecord } from "../records.ts";
import { buyPackage, providerOf } from "./purchase.ts";

export const billingHandlers: HandlersOf<typeof billingOperations> = {
  getBilling: async ({ context, transaction, workspaceId }) => {
    const { monthly_requests } = await requireWorkspace(transaction, workspaceId);
    const { month, granted, used, remaining, used_of_allowance, grants } = await readQuota(transaction, workspaceId);
    const amount_microdollars = priceMicrodollars(used_of_allowance);
    return {
      data: {
        provider: providerOf(context.config).name,
        unit_price: priceInWords(),
        monthly_requests,
        packages: packageNames.map((name) => ({ name, units: packages[name], price_cents: packagePriceCents(name) })),
        this_month: {
          month,
          granted,
          used,
          remaining,
          used_of_allowance,
          amount_microdollars,
          unit_price_microdollars: microdollarsPerUnit,
          amount_cents: toCents(amount_microdollars),
          grants: grants.map(toGrantRecord),
          ends_at: boundsOfMonth(month).before,
        },
        open_cents: await openCents(transaction, workspaceId, context.config.billedFrom),
        credit: await readCredit(transaction, workspaceId),
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

  postPurchase: buyPackage,

  putCreditLimit: async ({ transaction, workspaceId, actor }, { body: { limitCents } }) => {
    const { before, after } = await changeCreditLimit(transaction, workspaceId, limitCents);
    const { name } = await requireWorkspace(transaction, workspaceId);
    recordAuditEntry(transaction, workspaceId, auditActorOf(actor), {
      action: "credit_limit.change",
      target: { kind: "workspace", id: workspaceId, name },
      before: { credit_limit: usd(before.limit_cents) },
      after: { credit_limit: usd(after.limit_cents) },
    });
    return { data: after };
  },

  getInvoices: async ({ context, transaction, workspaceId }) => ({
    data: await listInvoices(transaction, workspaceId, context.config.billedFrom),
  }),

  getInvoice: async (call, { query }) => ({ data: await requireInvoice(call, query.month) }),

  getInvoicePreview: async ({ context, transaction, workspaceId }) => ({
    data: await openPreview(transaction, workspaceId, issuerOf(context.config, context.origin)),
  }),

  getInvoicePdf: async ({ context, workspaceId }, { query }) => {
    const invoice = await context.database.transaction((transaction) =>
      requireInvoice({ context, transaction, workspaceId }, query.month),
    );
    // Loaded here, because it takes some megabytes and most processes never need it.
    const { renderInvoice } = await import("../../metering/billing/invoice-pdf.ts");
    const body = await renderInvoice(invoice, context.config.invoiceFont);
    return { body, fileName: `${invoice.number ?? `draft-${invoice.month}`}.pdf` };
  },

  getPayments: async ({ transaction, workspaceId }, { query }) => {
    const [created_at, id] = parseTimeCursor(query.cursor) ?? [];
    const after = created_at && id ? { created_at, id } : undefined;
    const rows = await listPayments(transaction, workspaceId, after, query.limit + 1);
    const { page, nextCursor } = pageOf(rows, query.limit, (row) => [row.created_at, row.id]);
    return { data: page.map(toPaymentRecord), nextCursor };
  },

  postPayment: async (call, { body }) => {
    const { context, transaction, workspaceId, actor } = call;
    const received = { reference: body.reference.trim(), personId: actor.personId };
    const { payment, settled } = await (body.purpose === "package"
      ? recordPackage(transaction, workspaceId, body.subject, received)
      : recordInvoice(transaction, workspaceId, body.subject, received, context.config.billedFrom));
    for (const one of settled) auditRecording(call, one);
    return { data: await readPaymentRecord(transaction, workspaceId, payment.id) };
  },
};

// Object.keys is typed as string[]; the keys of this constant are exactly its names.
const packageNames = Object.keys(packages) as PackageName[];

/** @throws Refusal `not_found` */
async function requireInvoice(
  { context, transaction, workspaceId }: Pick<ConsoleCall, "context" | "transaction" | "workspaceId">,
  month: string,
): Promise<OpenedInvoice> {
  const invoice = await openInvoice(transaction, workspaceId, month, issuerOf(context.config, context.origin));
  if (!invoice) throw consoleErrors.notFound("invoice");
  return invoice;
}

/** Such as `October 2026 invoice` or `100K package`. */
const nameOfPayment = ({ purpose, subject }: PaymentRow): string =>
  `${purpose === "invoice" ? monthInWords(subject) : subject} ${purpose}`;

const auditRecording = ({ transaction, workspaceId, actor }: ConsoleCall, payment: PaymentRow): void =>
  recordAuditEntry(transaction, workspaceId, auditActorOf(actor), {
    action: "payment.record",
    target: { kind: "payment", id: payment.id, name: nameOfPayment(payment) },
    before: { status: "open" },
    after: { status: payment.status, amount_cents: payment.amount_cents, reference: payment.reference },
  });
