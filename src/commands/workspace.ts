// ./commonplace workspace …: the paying customers of the instance.
import { readMonthlyRequests } from "../config.ts";
import type { Workspace } from "../workspaces/workspaces.store.ts";
import { changeWorkspace, createWorkspace, listWorkspaces, requireWorkspace } from "../workspaces/workspaces.ts";
import type { Command, Given } from "./commands.ts";
import { fields, moment, onDatabase, print, table } from "./run.ts";

export const workspaceOption = { value: "ID", meaning: "The workspace's id", isRequired: true } as const;
const monthlyRequestsOption = { value: "N", meaning: "Monthly allowance in units" } as const;

const describe = (workspace: Workspace): string[] =>
  fields({
    id: workspace.id,
    name: workspace.name,
    "monthly requests": workspace.monthly_requests,
    subscription: workspace.subscription,
    created: moment(workspace.created_at),
  });

const monthlyRequests = (given: Given): number | undefined => {
  const text = given.text("monthly-requests");
  return text === undefined ? undefined : readMonthlyRequests(text, "--monthly-requests");
};

export const workspaceCommands: readonly Command[] = [
  {
    name: "workspace create",
    summary: "Make a workspace",
    options: { name: { value: "N", meaning: "Its name", isRequired: true }, "monthly-requests": monthlyRequestsOption },
    run: async (run) => {
      const allowance = monthlyRequests(run.given) ?? run.config.monthlyRequests;
      const create = (name: string) =>
        onDatabase(run, (transaction) => createWorkspace(transaction, name, allowance), true);
      const workspace = await create(run.given.required("name"));
      print(run, workspace, describe(workspace));
    },
  },
  {
    name: "workspace list",
    summary: "List the workspaces",
    options: {},
    run: async (run) => {
      const workspaces = await onDatabase(run, listWorkspaces);
      const rows = workspaces.map((one) => [
        one.id,
        one.name,
        one.monthly_requests,
        one.subscription,
        moment(one.created_at),
      ]);
      print(run, workspaces, table(["ID", "NAME", "MONTHLY REQUESTS", "SUBSCRIPTION", "CREATED"], rows));
    },
  },
  {
    name: "workspace show",
    summary: "Show a workspace",
    options: { workspace: workspaceOption },
    run: async (run) => {
      const id = run.given.required("workspace");
      const workspace = await onDatabase(run, (transaction) => requireWorkspace(transaction, id));
      print(run, workspace, describe(workspace));
    },
  },
  {
    name: "workspace update",
    summary: "Change a workspace's name, allowance or subscription",
    options: {
      workspace: workspaceOption,
      name: { value: "N", meaning: "A new name" },
      "monthly-requests": monthlyRequestsOption,
      subscription: { value: "active|inactive", meaning: "An inactive subscription refuses every call" },
    },
    run: async (run) => {
      const { given } = run;
      const [name, allowance, subscription] = [given.text("name"), monthlyRequests(given), given.text("subscription")];
      if (subscription !== undefined && subscription !== "active" && subscription !== "inactive")
        return given.refuse("--subscription must be active or inactive");
      if (name === undefined && allowance === undefined && subscription === undefined)
        return given.refuse("give --name, --monthly-requests or --subscription");
      const workspace = await onDatabase(run, (transaction) =>
        changeWorkspace(transaction, given.required("workspace"), {
          ...(name !== undefined && { name }),
          ...(allowance !== undefined && { monthly_requests: allowance }),
          ...(subscription !== undefined && { subscription }),
        }),
      );
      print(run, workspace, describe(workspace));
    },
  },
];
