// Price, packages, invoices and payments.
import { z } from "zod";
import { array, object, text, uuid } from "../../fields.ts";
import { objectBody } from "../../operation.ts";
import { billingLine, choice, displayName, monthQuery, paging, workspaceQuery } from "../fields.ts";
import { consoleLimits as most } from "../limits.ts";
import type { ConsoleOperation } from "../operation.ts";
import * as record from "../records.ts";
import { defaultsOf, ofWorkspace } from "./defaults.ts";

const { read, change } = defaultsOf("Billing");
const ofMonth = { query: { ...workspaceQuery, month: monthQuery("The month.") } } as const;

export const billingOperations = {
  getBilling: {
    ...read,
    ...ofWorkspace,
    path: "/billing",
    summary: "Price, packages, and what this month costs so far",
    access: "billing.read",
    isWriting: true,
    data: record.billing,
  },
  putBillingDetails: {
    ...change,
    ...ofWorkspace,
    method: "PUT",
    path: "/billing/details",
    summary: "Say whom invoices are made out to",
    description: "Counts for invoices that nobody has opened yet.",
    access: "workspace.change",
    body: objectBody(
      object({
        name: billingLine(),
        address: array(billingLine(), 0, most.addressLinesMax),
        taxId: billingLine().nullable(),
      }),
    ),
    data: record.party,
  },
  postPurchase: {
    ...change,
    ...ofWorkspace,
    method: "POST",
    path: "/purchase",
    summary: "Buy an add-on package",
    access: "billing.buy",
    isForTokens: false,
    isConfirmed: true,
    isOwnTransaction: true,
    body: objectBody(
      object({
        package: choice(["100K", "500K", "1M"]),
        /** Made by the client, so that the same purchase sent twice is one. */
        purchaseId: uuid(),
      }),
    ),
    data: record.purchase,
  },
  getInvoices: {
    ...read,
    ...ofWorkspace,
    path: "/invoices",
    summary: "The invoices of finished months, newest first",
    access: "billing.read",
    data: z.array(record.invoice),
  },
  getInvoice: {
    ...read,
    ...ofMonth,
    path: "/invoice",
    summary: "One month's invoice",
    access: "billing.read",
    isWriting: true,
    data: record.openedInvoice,
  },
  getInvoicePdf: {
    ...read,
    ...ofMonth,
    path: "/invoice/pdf",
    summary: "One month's invoice as PDF",
    access: "billing.read",
    isOwnTransaction: true,
    answers: "application/pdf",
    data: z.string(),
  },
  getPayments: {
    ...read,
    path: "/payments",
    summary: "Payments, newest first",
    access: "billing.read",
    query: { ...workspaceQuery, ...paging },
    isPaged: true,
    data: z.array(record.payment),
  },
  postPayment: {
    ...change,
    ...ofWorkspace,
    method: "POST",
    path: "/payment",
    summary: "Record that an invoice or a package was paid",
    access: "payment.record",
    isForTokens: false,
    isConfirmed: true,
    body: objectBody(
      object({
        purpose: choice(["package", "invoice"]),
        /** The open payment's id for a package, the month for an invoice. */
        subject: text(1, 40),
        reference: displayName(most.referenceLengthMax),
      }),
    ),
    data: record.payment,
  },
} as const satisfies Record<string, ConsoleOperation>;
