// ./commonplace workspace …: the paying customers of the instance.
import type { Workspace } from "../../accounts/workspaces/workspaces.store.ts";
import { createWorkspace, listWorkspaces, requireWorkspace } from "../../accounts/workspaces/workspaces.ts";
import { changeWorkspace } from "../../metering/quota/allowance.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { formatMoment } from "../format.ts";
import type { Command } from "./command.ts";
import { inTransaction, readDatabase } from "./database-access.ts";
import {
  monthlyRequestsOption,
  nameOption,
  readId,
  readMonthlyRequests,
  readName,
  readRequiredName,
  workspaceOption,
} from "./options.ts";
import { formatFields, formatTable, printResult } from "./output.ts";
import { recordCommand } from "./record.ts";

const formatWorkspace = (workspace: Workspace): string[] =>
  formatFields({
    id: workspace.id,
    name: workspace.name,
    "monthly allowance": workspace.monthly_requests,
    subscription: workspace.subscription,
    created: formatMoment(workspace.created_at),
  });

const targetOf = ({ id, name }: Workspace) => ({ kind: "workspace", id, name });
const auditedFields = ({ name, monthly_requests, subscription }: Workspace) => ({
  name,
  monthly_requests,
  subscription,
});

export const workspaceCommands: readonly Command[] = [
  {
    name: "workspace create",
    summary: "Create a workspace",
    options: { name: nameOption, "monthly-requests": monthlyRequestsOption },
    run: async (context) => {
      const name = readRequiredName(context.options);
      const allowance = readMonthlyRequests(context.options) ?? context.config.monthlyRequests;
      const create = async (transaction: Transaction) => {
        const created = await createWorkspace(transaction, name, allowance);
        recordCommand(transaction, created.id, {
          action: "workspace.create",
          target: targetOf(created),
          after: auditedFields(created),
        });
        return created;
      };
      const workspace = await inTransaction(context, create, true);
      printResult(context, workspace, formatWorkspace(workspace));
    },
  },
  {
    name: "workspace list",
    summary: "List the workspaces",
    options: {},
    run: async (context) => {
      const workspaces = await readDatabase(context, listWorkspaces);
      const rows = workspaces.map((one) => [one.id, one.monthly_requests, one.subscription, one.name]);
      printResult(
        context,
        workspaces,
        formatTable(["ID", "ALLOWANCE", "SUBSCRIPTION", "NAME"], rows, "No workspaces yet."),
      );
    },
  },
  {
    name: "workspace show",
    summary: "Show a workspace",
    options: { workspace: workspaceOption },
    run: async (context) => {
      const id = readId(context.options, "workspace");
      const workspace = await readDatabase(context, (transaction) => requireWorkspace(transaction, id));
      printResult(context, workspace, formatWorkspace(workspace));
    },
  },
  {
    name: "workspace update",
    summary: "Change a workspace's name, allowance, or subscription",
    options: {
      workspace: workspaceOption,
      name: { ...nameOption, isRequired: false },
      "monthly-requests": monthlyRequestsOption,
      subscription: { value: "active|inactive", meaning: "Inactive: all requests are refused" },
    },
    run: async (context) => {
      const { options } = context;
      const [name, allowance, subscription] = [
        readName(options),
        readMonthlyRequests(options),
        options.text("subscription"),
      ];
      if (subscription !== undefined && subscription !== "active" && subscription !== "inactive")
        return options.refuse("--subscription must be active or inactive");
      if (name === undefined && allowance === undefined && subscription === undefined)
        return options.refuse("use --name, --monthly-requests, or --subscription");
      const workspace = await inTransaction(context, async (transaction) => {
        const { before, after } = await changeWorkspace(transaction, readId(options, "workspace"), {
          name,
          monthly_requests: allowance,
          subscription,
        });
        recordCommand(transaction, after.id, {
          action: "workspace.change",
          target: targetOf(after),
          before: auditedFields(before),
          after: auditedFields(after),
        });
        return after;
      });
      printResult(context, workspace, formatWorkspace(workspace));
    },
  },
];
