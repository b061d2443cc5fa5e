// Price, packages, invoices and payments.

import { z } from "zod";
import { array, count, id, object, text, timestamp, uuid } from "../../fields.ts";
import { objectBody } from "../../operation.ts";
import { billingLine, choice, displayName, monthQuery, optionalTimestamp, paging, workspaceQuery } from "../fields.ts";
import { consoleLimits as most } from "../limits.ts";
import type { ConsoleOperation } from "../operation.ts";
import { defaultsOf, ofWorkspace } from "./defaults.ts";
import { grant } from "./usage.ts";

const cents = () => z.int().meta({ description: "US cents." });

/** The seller or the buyer of an invoice. */
const party = z
  .strictObject({
    name: z.string(),
    address: z.array(z.string()).meta({ description: "One item per line." }),
    tax_id: z.string().nullable(),
  })
  .meta({ id: "Party" });

const credit = z
  .strictObject({
    limit_cents: cents().meta({
      description: "The credit limit: the total price of packages that can be bought before they are paid for.",
    }),
    open_cents: cents().meta({ description: "The total price of packages that have not been paid for." }),
    remaining_cents: cents(),
  })
  .meta({ id: "Credit" });

const billing = z
  .strictObject({
    provider: z.enum(["manual", "stripe"]),
    unit_price: z.string().meta({ description: "The price in words, such as $10.00 per 100,000 units." }),
    monthly_requests: count(),
    packages: z.array(z.strictObject({ name: z.enum(["100K", "500K", "1M"]), units: count(), price_cents: cents() })),
    this_month: z.strictObject({
      month: z.string(),
      granted: count(),
      used: count(),
      remaining: count(),
      used_of_allowance: count(),
      unit_price_microdollars: z.int(),
      /** Unrounded. Only the invoice rounds to cents. */
      amount_microdollars: z.int(),
      amount_cents: cents(),
      grants: z.array(grant),
      ends_at: timestamp().meta({ description: "The end of the month, when unused units expire." }),
    }),
    open_cents: cents().meta({ description: "Billed, but not paid yet." }),
    credit,
    billed_to: party.meta({ description: "The billing details for the next invoice." }),
  })
  .meta({ id: "Billing" });

const invoiceLine = z.strictObject({
  description: z.string(),
  units: count(),
  unit_price_microdollars: z.int(),
  amount_microdollars: z.int(),
  is_paid: z.boolean(),
  paid_at: optionalTimestamp(),
  reference: z.string().nullable(),
});

const invoice = z
  .strictObject({
    workspace_id: id(),
    workspace_name: z.string(),
    number: z.string().nullable().meta({ description: "Null until the invoice is issued." }),
    month: z.string(),
    issued_at: timestamp(),
    lines: z.array(invoiceLine),
    total_cents: cents(),
    paid_cents: cents(),
    due_cents: cents(),
    paid_at: optionalTimestamp(),
  })
  .meta({ id: "Invoice" });

/** With what does not change once the invoice is issued. */
const openedInvoice = invoice
  .extend({
    seller: z
      .strictObject({ ...party.shape, bank: z.array(z.string()).meta({ description: "One item per line." }) })
      .meta({ id: "Seller" }),
    billed_to: party,
    tax: z
      .strictObject({ name: z.string(), basis_points: z.int().meta({ description: "19% is 1900." }) })
      .nullable()
      .meta({ description: "The tax that the total includes." }),
    net_cents: cents(),
    tax_cents: cents(),
  })
  .meta({ id: "OpenedInvoice" });

const payment = z
  .strictObject({
    id: id(),
    provider: z.enum(["manual", "stripe"]),
    purpose: z.enum(["package", "invoice"]),
    /** The package, or the invoice's month. */
    subject: z.string(),
    units: count().nullable(),
    amount_cents: cents(),
    status: z.enum(["open", "paid", "failed"]),
    reference: z.string().nullable(),
    requested_by: z.string().nullable(),
    created_at: timestamp(),
    settled_at: optionalTimestamp(),
  })
  .meta({ id: "Payment" });

const purchase = z.strictObject({
  payment,
  /** The page to pay on. Null if there is nothing left to do. */
  checkout_url: z.string().nullable(),
  credited: z.boolean(),
});

const { read, change } = defaultsOf("Billing");
const ofMonth = { query: { ...workspaceQuery, month: monthQuery("The month, such as 2026-03.") } } as const;

export const billingOperations = {
  getBilling: {
    ...read,
    ...ofWorkspace,
    path: "/billing",
    summary: "Get prices, packages, and this month's costs so far",
    access: "billing.read",
    isWriting: true,
    data: billing,
  },
  putBillingDetails: {
    ...change,
    ...ofWorkspace,
    method: "PUT",
    path: "/billing/details",
    summary: "Change the billing details for future invoices",
    description: "Invoices that were already issued do not change.",
    access: "workspace.change",
    confirmation: "always",
    body: objectBody(
      object({
        name: billingLine(),
        address: array(billingLine(), 0, most.addressLinesMax),
        taxId: billingLine().nullable(),
      }),
    ),
    data: party,
  },
  postPurchase: {
    ...change,
    ...ofWorkspace,
    method: "POST",
    path: "/purchase",
    summary: "Buy an add-on package",
    access: "billing.buy",
    confirmation: "always",
    isForTokens: false,
    isOwnTransaction: true,
    body: objectBody(
      object({
        package: choice(["100K", "500K", "1M"]),
        /** Chosen by the client, so that a repeated request buys once. */
        purchaseId: uuid(),
      }),
    ),
    data: purchase,
  },
  putCreditLimit: {
    ...change,
    ...ofWorkspace,
    method: "PUT",
    path: "/credit-limit",
    summary: "Change a workspace's credit limit",
    description: "Applies to packages bought on credit. Packages paid for at checkout need no credit.",
    access: "subscription.change",
    confirmation: "always",
    isForTokens: false,
    body: objectBody(
      object({
        limitCents: z
          .int({ error: (issue) => (issue.input === undefined ? "is required" : "must be a whole number") })
          .min(0, { error: "must be at least 0" })
          .max(most.creditLimitCentsMax, { error: `must be at most ${most.creditLimitCentsMax}` }),
      }),
    ),
    data: credit,
  },
  getInvoices: {
    ...read,
    ...ofWorkspace,
    path: "/invoices",
    summary: "List the invoices of past months, newest first",
    access: "billing.read",
    data: z.array(invoice),
  },
  getInvoice: {
    ...read,
    ...ofMonth,
    path: "/invoice",
    summary: "Get the invoice of a month",
    access: "billing.read",
    isWriting: true,
    data: openedInvoice,
  },
  getInvoicePreview: {
    ...read,
    ...ofWorkspace,
    path: "/invoice/preview",
    summary: "Preview this month's invoice",
    access: "billing.read",
    isWriting: true,
    data: openedInvoice,
  },
  getInvoicePdf: {
    ...read,
    ...ofMonth,
    path: "/invoice/pdf",
    summary: "Get the invoice of a month as a PDF",
    access: "billing.read",
    isOwnTransaction: true,
    mediaType: "application/pdf",
    data: z.string(),
  },
  getPayments: {
    ...read,
    path: "/payments",
    summary: "List payments, newest first",
    access: "billing.read",
    query: { ...workspaceQuery, ...paging },
    isPaged: true,
    data: z.array(payment),
  },
  postPayment: {
    ...change,
    ...ofWorkspace,
    method: "POST",
    path: "/payment",
    summary: "Record a payment for an invoice or a package",
    access: "payment.record",
    confirmation: "always",
    isForTokens: false,
    body: objectBody(
      object({
        purpose: choice(["package", "invoice"]),
        /** The open payment's id for a package, the month for an invoice. */
        subject: text(1, 40),
        reference: displayName(most.referenceLengthMax),
      }),
    ),
    data: payment,
  },
} as const satisfies Record<string, ConsoleOperation>;
