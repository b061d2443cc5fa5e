// ./commonplace quota …: what a workspace has left this month, and add-on packages.
import { grantPackage, type PackageName, packages, type Quota, showQuota } from "../../metering/quota/quota.ts";
import type { Command } from "./commands.ts";
import { readId, readRequiredName, workspaceOption } from "./options.ts";
import { recordCommand } from "./record.ts";
import { day, fields, number, onDatabase, print, table } from "./run.ts";

const describe = (quota: Quota): string[] => [
  ...fields({ month: quota.month, granted: quota.granted, used: quota.used, remaining: quota.remaining }),
  "",
  ...table(
    ["GRANT", "UNITS", "REMAINING", "SINCE", "REFERENCE"],
    quota.grants.map((grant) => [
      grant.kind,
      grant.units,
      grant.remaining,
      day(grant.created_at),
      grant.reference ?? "-",
    ]),
  ),
];

const isPackage = (text: string): text is PackageName => Object.hasOwn(packages, text);

export const quotaCommands: readonly Command[] = [
  {
    name: "quota show",
    summary: "Show what a workspace has left this month",
    options: { workspace: workspaceOption },
    run: async (run) => {
      const quota = await onDatabase(run, (transaction) => showQuota(transaction, readId(run.given, "workspace")));
      print(run, quota, describe(quota));
    },
  },
  {
    name: "quota grant",
    summary: "Credit an add-on package at once",
    options: {
      workspace: workspaceOption,
      package: { value: Object.keys(packages).join("|"), meaning: "Size of the package in units", isRequired: true },
      reference: {
        value: "REF",
        meaning: "Payment reference, unique in the instance: the same again credits nothing",
        isRequired: true,
      },
    },
    run: async (run) => {
      const { given } = run;
      const [name, reference] = [given.required("package"), readRequiredName(given, "reference")];
      if (!isPackage(name)) return given.refuse(`--package must be one of ${Object.keys(packages).join(", ")}`);
      const quota = await onDatabase(run, async (transaction) => {
        const granted = await grantPackage(transaction, readId(given, "workspace"), name, reference);
        const target = { kind: "package", id: null, name };
        if (granted.credited)
          recordCommand(transaction, granted.workspace_id, {
            action: "package.grant",
            target,
            after: { units: packages[name], reference },
          });
        return granted;
      });
      const done = quota.credited
        ? `Credited ${number(packages[name])} units.`
        : "Credited earlier: nothing was changed.";
      print(run, quota, [done, "", ...describe(quota)]);
    },
  },
];
