// ./commonplace workspace …: the paying customers of the instance.
import type { Workspace } from "../workspaces/workspaces.store.ts";
import { changeWorkspace, createWorkspace, listWorkspaces, requireWorkspace } from "../workspaces/workspaces.ts";
import type { Command } from "./commands.ts";
import {
  monthlyRequestsOption,
  nameOption,
  readId,
  readMonthlyRequests,
  readName,
  readRequiredName,
  workspaceOption,
} from "./options.ts";
import { fields, fromDatabase, moment, onDatabase, print, table } from "./run.ts";

const describe = (workspace: Workspace): string[] =>
  fields({
    id: workspace.id,
    name: workspace.name,
    "monthly requests": workspace.monthly_requests,
    subscription: workspace.subscription,
    created: moment(workspace.created_at),
  });

export const workspaceCommands: readonly Command[] = [
  {
    name: "workspace create",
    summary: "Make a workspace",
    options: { name: nameOption, "monthly-requests": monthlyRequestsOption },
    run: async (run) => {
      const name = readRequiredName(run.given);
      const allowance = readMonthlyRequests(run.given) ?? run.config.monthlyRequests;
      const workspace = await onDatabase(run, (transaction) => createWorkspace(transaction, name, allowance), true);
      print(run, workspace, describe(workspace));
    },
  },
  {
    name: "workspace list",
    summary: "List the workspaces",
    options: {},
    run: async (run) => {
      const workspaces = await fromDatabase(run, listWorkspaces);
      const rows = workspaces.map((one) => [one.id, one.monthly_requests, one.subscription, one.name]);
      print(run, workspaces, table(["ID", "MONTHLY", "SUBSCRIPTION", "NAME"], rows));
    },
  },
  {
    name: "workspace show",
    summary: "Show a workspace",
    options: { workspace: workspaceOption },
    run: async (run) => {
      const id = readId(run.given, "workspace");
      const workspace = await fromDatabase(run, (transaction) => requireWorkspace(transaction, id));
      print(run, workspace, describe(workspace));
    },
  },
  {
    name: "workspace update",
    summary: "Change a workspace's name, allowance or subscription",
    options: {
      workspace: workspaceOption,
      name: { ...nameOption, isRequired: false },
      "monthly-requests": monthlyRequestsOption,
      subscription: { value: "active|inactive", meaning: "An inactive subscription refuses every call" },
    },
    run: async (run) => {
      const { given } = run;
      const [name, allowance, subscription] = [readName(given), readMonthlyRequests(given), given.text("subscription")];
      if (subscription !== undefined && subscription !== "active" && subscription !== "inactive")
        return given.refuse("--subscription must be active or inactive");
      if (name === undefined && allowance === undefined && subscription === undefined)
        return given.refuse("give --name, --monthly-requests or --subscription");
      const workspace = await onDatabase(run, (transaction) =>
        changeWorkspace(transaction, readId(given, "workspace"), {
          ...(name !== undefined && { name }),
          ...(allowance !== undefined && { monthly_requests: allowance }),
          ...(subscription !== undefined && { subscription }),
        }),
      );
      print(run, workspace, describe(workspace));
    },
  },
];
