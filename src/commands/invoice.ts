// ./commonplace invoice list: what the finished months of a workspace cost.
import { listInvoices } from "../billing/invoices.ts";
import { toCents, usd } from "../billing/price.ts";
import { requireWorkspace } from "../workspaces/workspaces.ts";
import type { Command } from "./commands.ts";
import { moment, onDatabase, print, table } from "./run.ts";
import { readMonth } from "./usage.ts";
import { workspaceOption } from "./workspace.ts";

export const invoiceCommands: readonly Command[] = [
  {
    name: "invoice list",
    summary: "List the invoices of finished months",
    options: { workspace: workspaceOption, month: { value: "YYYY-MM", meaning: "Only this month, line by line" } },
    run: async (run) => {
      const month = readMonth(run.given.text("month"), run.given.refuse);
      const all = await onDatabase(run, async (transaction) => {
        const workspace = await requireWorkspace(transaction, run.given.required("workspace"));
        return listInvoices(transaction, workspace.id);
      });
      const invoices = all.filter((invoice) => month === undefined || invoice.month === month);
      const lines = table(
        ["MONTH", "ISSUED", "TOTAL", "PAID", "DUE"],
        invoices.map((one) => [
          one.month,
          moment(one.issued_at),
          usd(one.total_cents),
          usd(one.paid_cents),
          usd(one.due_cents),
        ]),
      );
      const detail = invoices.flatMap((invoice) =>
        table(
          ["LINE", "UNITS", "AMOUNT", "STATE", "REFERENCE"],
          invoice.lines.map((line) => [
            line.description,
            line.units,
            usd(toCents(line.amount_microdollars)),
            line.is_paid ? "paid" : "due",
            line.reference ?? "-",
          ]),
        ),
      );
      print(run, invoices, month === undefined ? lines : [...lines, "", ...detail]);
    },
  },
];
