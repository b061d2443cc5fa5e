// ./commonplace invoice list: what the finished months of a workspace cost.
import { requireWorkspace } from "../../accounts/workspaces/workspaces.ts";
import { type Invoice, listInvoices } from "../../metering/billing/invoices.ts";
import { toCents, usd } from "../../metering/billing/price.ts";
import type { Command } from "./command.ts";
import { readDatabase } from "./database-access.ts";
import { readId, readMonth, workspaceOption } from "./options.ts";
import { formatDay, formatTable, printResult } from "./output.ts";

const formatSummary = (invoices: readonly Invoice[]): string[] =>
  formatTable(
    ["MONTH", "NUMBER", "ISSUED", "TOTAL", "PAID", "DUE"],
    invoices.map((one) => [
      one.month,
      one.number ?? "draft",
      formatDay(one.issued_at),
      usd(one.total_cents),
      usd(one.paid_cents),
      usd(one.due_cents),
    ]),
    "No invoices.",
  );

const formatLines = ({ lines }: Invoice): string[] =>
  formatTable(
    ["LINE", "UNITS", "AMOUNT", "STATE", "REFERENCE"],
    lines.map((line) => [
      line.description,
      line.units,
      usd(toCents(line.amount_microdollars)),
      line.is_paid ? "paid" : "due",
      line.reference ?? "-",
    ]),
  );

export const invoiceCommands: readonly Command[] = [
  {
    name: "invoice list",
    summary: "List a workspace's invoices for past months",
    options: {
      workspace: workspaceOption,
      month: { value: "YYYY-MM", meaning: "Show only the invoice for the given month, with its line items" },
    },
    run: async (context) => {
      const month = readMonth(context.options);
      const all = await readDatabase(context, async (transaction) => {
        const workspace = await requireWorkspace(transaction, readId(context.options, "workspace"));
        return listInvoices(transaction, workspace.id, context.config.billedFrom);
      });
      const invoices = all.filter((invoice) => month === undefined || invoice.month === month);
      const detail = month === undefined ? [] : invoices.flatMap((invoice) => ["", ...formatLines(invoice)]);
      printResult(context, invoices, [...formatSummary(invoices), ...detail]);
    },
  },
];
