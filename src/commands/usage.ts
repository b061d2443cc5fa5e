// ./commonplace usage: what a workspace used in a month, by operation and by key.
import { monthOf, showUsage } from "../quota/quota.ts";
import { requireWorkspace } from "../workspaces/workspaces.ts";
import type { Command } from "./commands.ts";
import { fields, onDatabase, print, table } from "./run.ts";
import { workspaceOption } from "./workspace.ts";

/** A calendar month, or the end of the command. */
export function readMonth(text: string | undefined, refuse: (message: string) => never): string | undefined {
  if (text !== undefined && !/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return refuse("--month must be YYYY-MM");
  return text;
}

export const usage: Command = {
  name: "usage",
  summary: "Show what a workspace used, by operation and by key",
  options: { workspace: workspaceOption, month: { value: "YYYY-MM", meaning: "The month in UTC (default: this one)" } },
  run: async (run) => {
    const month = readMonth(run.given.text("month"), run.given.refuse);
    const used = await onDatabase(run, async (transaction) => {
      const workspace = await requireWorkspace(transaction, run.given.required("workspace"));
      return showUsage(transaction, workspace.id, month ?? monthOf(transaction.now));
    });
    print(run, used, [
      ...fields({ month: used.month, calls: used.calls, units: used.units }),
      "",
      ...table(
        ["OPERATION", "CALLS", "UNITS"],
        used.by_operation.map((row) => [row.operation, row.calls, row.units]),
      ),
      "",
      ...table(
        ["KEY", "NAME", "CALLS", "UNITS"],
        used.by_key.map((row) => [`${row.secret_start}...`, row.name, row.calls, row.units]),
      ),
    ]);
  },
};
