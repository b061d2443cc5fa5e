// ./commonplace quota …: what a workspace has left this month, and add-on packages.
import { grantPackage, type PackageName, packages, type Quota, readQuota } from "../../metering/quota/quota.ts";
import { formatNumber } from "../format.ts";
import type { Command } from "./command.ts";
import { inTransaction } from "./database-access.ts";
import { readId, readRequiredName, workspaceOption } from "./options.ts";
import { formatDay, formatFields, formatTable, printResult } from "./output.ts";
import { recordCommand } from "./record.ts";

const formatQuota = (quota: Quota): string[] => [
  ...formatFields({ month: quota.month, granted: quota.granted, used: quota.used, remaining: quota.remaining }),
  "",
  ...formatTable(
    ["GRANT", "UNITS", "REMAINING", "CREDITED", "REFERENCE"],
    quota.grants.map((grant) => [
      grant.kind,
      grant.units,
      grant.remaining,
      formatDay(grant.created_at),
      grant.reference ?? "-",
    ]),
  ),
];

const isPackage = (text: string): text is PackageName => Object.hasOwn(packages, text);

export const quotaCommands: readonly Command[] = [
  {
    name: "quota show",
    summary: "Show the units a workspace has left this month",
    options: { workspace: workspaceOption },
    run: async (context) => {
      const quota = await inTransaction(context, (transaction) =>
        readQuota(transaction, readId(context.options, "workspace")),
      );
      printResult(context, quota, formatQuota(quota));
    },
  },
  {
    name: "quota grant",
    summary: "Credit a package of units",
    options: {
      workspace: workspaceOption,
      package: { value: Object.keys(packages).join("|"), meaning: "Package size in units", isRequired: true },
      reference: {
        value: "REF",
        meaning: "Payment reference; can be used only once",
        isRequired: true,
      },
    },
    run: async (context) => {
      const { options } = context;
      const [name, reference] = [options.required("package"), readRequiredName(options, "reference")];
      if (!isPackage(name)) return options.refuse(`--package must be one of: ${Object.keys(packages).join(", ")}`);
      const quota = await inTransaction(context, async (transaction) => {
        const granted = await grantPackage(transaction, readId(options, "workspace"), name, reference);
        const target = { kind: "package", id: null, name };
        if (granted.credited)
          recordCommand(transaction, granted.workspace_id, {
            action: "package.grant",
            target,
            after: { units: packages[name], reference },
          });
        return granted;
      });
      const outcome = quota.credited
        ? `Credited ${formatNumber(packages[name])} units.`
        : "This payment reference has already been used. Nothing was changed.";
      printResult(context, quota, [outcome, "", ...formatQuota(quota)]);
    },
  },
];
