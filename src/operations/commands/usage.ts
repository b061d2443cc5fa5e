// ./commonplace usage: what a workspace used in a month, by operation and by key.

import { requireWorkspace } from "../../accounts/workspaces/workspaces.ts";
import { showUsage } from "../../metering/quota/usage.ts";
import { monthOf } from "../../platform/time.ts";
import type { Command } from "./commands.ts";
import { readId, readMonth, workspaceOption } from "./options.ts";
import { fields, fromDatabase, print, table } from "./run.ts";

export const usage: Command = {
  name: "usage",
  summary: "Show what a workspace used, by operation and by key",
  options: { workspace: workspaceOption, month: { value: "YYYY-MM", meaning: "The month in UTC (default: this one)" } },
  run: async (run) => {
    const month = readMonth(run.given);
    const used = await fromDatabase(run, async (transaction) => {
      const workspace = await requireWorkspace(transaction, readId(run.given, "workspace"));
      return showUsage(transaction, workspace.id, month ?? monthOf(transaction.now));
    });
    const operations = used.by_operation.map((row) => [row.calls, row.units, row.operation]);
    const keys = used.by_key.map((row) => [row.calls, row.units, row.secret_start, row.name]);
    print(run, used, [
      ...fields({ month: used.month, calls: used.calls, units: used.units }),
      ...(used.calls === 0 ? [] : ["", ...table(["CALLS", "UNITS", "OPERATION"], operations)]),
      ...(used.calls === 0 ? [] : ["", ...table(["CALLS", "UNITS", "KEY", "NAME"], keys)]),
    ]);
  },
};
