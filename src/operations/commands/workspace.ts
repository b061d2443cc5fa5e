// ./commonplace workspace …: the paying customers of the instance.
import type { Workspace } from "../../accounts/workspaces/workspaces.store.ts";
import { createWorkspace, listWorkspaces, requireWorkspace } from "../../accounts/workspaces/workspaces.ts";
import { bytesPerMebibyte, limits } from "../../contract/limits.ts";
import { changeWorkspace } from "../../metering/quota/allowance.ts";
import {
  changeStorageLimit,
  mebibytesOf,
  readStorage,
  type Storage,
  toStorageRecord,
} from "../../metering/storage/storage.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { formatMebibytes, formatMoment } from "../format.ts";
import type { Command, ParsedOptions } from "./command.ts";
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

const formatWorkspace = (workspace: Workspace, storage?: Storage): string[] =>
  formatFields({
    id: workspace.id,
    name: workspace.name,
    "monthly allowance": workspace.monthly_requests,
    subscription: workspace.subscription,
    ...(storage && { storage: formatStorage(storage) }),
    created: formatMoment(workspace.created_at),
  });

const formatStorage = ({ bytes, bytesMax, isOwnLimit }: Storage): string =>
  `${formatMebibytes(bytes)} of ${formatMebibytes(bytesMax)}${isOwnLimit ? "" : ", the default limit"}`;

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
      const { workspace, storage } = await readDatabase(context, async (transaction) => ({
        workspace: await requireWorkspace(transaction, id),
        storage: await readStorage(transaction, id, context.config.storageBytesMax),
      }));
      printResult(context, { ...workspace, storage: toStorageRecord(storage) }, formatWorkspace(workspace, storage));
    },
  },
  {
    name: "workspace update",
    summary: "Change a workspace's name, subscription, or limits",
    options: {
      workspace: workspaceOption,
      name: { ...nameOption, isRequired: false },
      "monthly-requests": monthlyRequestsOption,
      subscription: { value: "active|inactive", meaning: "Inactive: all requests are refused" },
      "storage-mib": { value: "N|default", meaning: "Storage limit in MiB; default: COMMONPLACE_STORAGE_MIB" },
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
      const storageMebibytes = readStorageMebibytes(options);
      if (name === undefined && allowance === undefined && subscription === undefined && storageMebibytes === undefined)
        return options.refuse("use --name, --monthly-requests, --subscription, or --storage-mib");
      const { storageBytesMax } = context.config;
      const { workspace, storage } = await inTransaction(context, async (transaction) => {
        const { before, after } = await changeWorkspace(transaction, readId(options, "workspace"), {
          name,
          monthly_requests: allowance,
          subscription,
        });
        if (name !== undefined || allowance !== undefined || subscription !== undefined)
          recordCommand(transaction, after.id, {
            action: "workspace.change",
            target: targetOf(after),
            before: auditedFields(before),
            after: auditedFields(after),
          });
        if (storageMebibytes === undefined)
          return { workspace: after, storage: await readStorage(transaction, after.id, storageBytesMax) };
        const bytesMax = storageMebibytes === "default" ? null : storageMebibytes * bytesPerMebibyte;
        const limit = await changeStorageLimit(transaction, after.id, bytesMax, storageBytesMax);
        recordCommand(transaction, after.id, {
          action: "storage.change",
          target: targetOf(after),
          before: { storage_mib: mebibytesOf(limit.before) },
          after: { storage_mib: mebibytesOf(limit.after) },
        });
        return { workspace: after, storage: limit.after };
      });
      printResult(context, { ...workspace, storage: toStorageRecord(storage) }, formatWorkspace(workspace, storage));
    },
  },
];

function readStorageMebibytes(options: ParsedOptions): number | "default" | undefined {
  const text = options.text("storage-mib");
  if (text === undefined || text === "default") return text;
  const isValid = /^\d{1,10}$/.test(text) && Number(text) <= limits.storageMebibytesMax;
  return isValid
    ? Number(text)
    : options.refuse(`--storage-mib must be a whole number from 0 to ${limits.storageMebibytesMax}, or default`);
}
