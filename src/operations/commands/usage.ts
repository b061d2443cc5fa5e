// ./commonplace usage: what a workspace used in a month, by operation and by key.
import { requireWorkspace } from "../../accounts/workspaces/workspaces.ts";
import { readUsage } from "../../metering/quota/usage.ts";
import { titleOf } from "../../metering/usage/explanation.ts";
import { monthOf } from "../../platform/time.ts";
import type { Command } from "./command.ts";
import { readDatabase } from "./database-access.ts";
import { readId, readMonth, workspaceOption } from "./options.ts";
import { formatFields, formatTable, printResult } from "./output.ts";

export const usage: Command = {
  name: "usage",
  summary: "Show a workspace's usage by operation and by key",
  options: {
    workspace: workspaceOption,
    month: { value: "YYYY-MM", meaning: "Month in UTC (default: the current month)" },
  },
  run: async (context) => {
    const month = readMonth(context.options);
    const used = await readDatabase(context, async (transaction) => {
      const workspace = await requireWorkspace(transaction, readId(context.options, "workspace"));
      return readUsage(transaction, workspace.id, month ?? monthOf(transaction.now));
    });
    const operations = used.by_operation.map((row) => [row.calls, row.units, titleOf(row.operation)]);
    const keys = used.by_key.map((row) => [row.calls, row.units, row.secret_start, row.name]);
    printResult(context, used, [
      ...formatFields({ month: used.month, requests: used.calls, units: used.units }),
      ...(used.calls === 0 ? [] : ["", ...formatTable(["REQUESTS", "UNITS", "OPERATION"], operations)]),
      ...(used.calls === 0 ? [] : ["", ...formatTable(["REQUESTS", "UNITS", "KEY", "NAME"], keys)]),
    ]);
  },
};
