// ./commonplace workspace …: the paying customers of the instance.

import type { Workspace } from "../../accounts/workspaces/workspaces.store.ts";
import {
  changeWorkspace,
  createWorkspace,
  listWorkspaces,
  requireWorkspace,
} from "../../accounts/workspaces/workspaces.ts";
import type { Transaction } from "../../platform/database/database.ts";
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
import { recordCommand } from "./record.ts";
import { fields, fromDatabase, moment, onDatabase, print, table } from "./run.ts";

const describe = (workspace: Workspace): string[] =>
  fields({
    id: workspace.id,
    name: workspace.name,
    "monthly requests": workspace.monthly_requests,
    subscription: workspace.subscription,
    created: moment(workspace.created_at),
  });

const targetOf = ({ id, name }: Workspace) => ({ kind: "workspace", id, name });
const stateOf = ({ name, monthly_requests, subscription }: Workspace) => ({ name, monthly_requests, subscription });

export const workspaceCommands: readonly Command[] = [
  {
    name: "workspace create",
    summary: "Make a workspace",
    options: { name: nameOption, "monthly-requests": monthlyRequestsOption },
    run: async (run) => {
      const name = readRequiredName(run.given);
      const allowance = readMonthlyRequests(run.given) ?? run.config.monthlyRequests;
      const create = async (transaction: Transaction) => {
        const made = await createWorkspace(transaction, name, allowance);
        recordCommand(transaction, made.id, {
          action: "workspace.create",
          target: targetOf(made),
          after: stateOf(made),
        });
        return made;
      };
      const workspace = await onDatabase(run, create, true);
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
      const workspace = await onDatabase(run, async (transaction) => {
        const before = await requireWorkspace(transaction, readId(given, "workspace"));
        const after = await changeWorkspace(transaction, before.id, {
          ...(name !== undefined && { name }),
          ...(allowance !== undefined && { monthly_requests: allowance }),
          ...(subscription !== undefined && { subscription }),
        });
        const change = { before: stateOf(before), after: stateOf(after) };
        recordCommand(transaction, after.id, { action: "workspace.change", target: targetOf(after), ...change });
        return after;
      });
      print(run, workspace, describe(workspace));
    },
  },
];
