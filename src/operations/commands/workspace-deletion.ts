// ./commonplace workspace export, delete, restore: a customer leaves, or comes back in time.
import {
  deleteWorkspace,
  mailDeletion,
  recordDeletion,
  removalOf,
  restoreWorkspace,
} from "../../accounts/workspaces/deletion.ts";
import { requireWorkspace } from "../../accounts/workspaces/workspaces.ts";
import { exportWorkspace } from "../../library/workspace/export.ts";
import { formatMoment } from "../format.ts";
import type { Command, CommandContext } from "./command.ts";
import { inTransaction, readDatabase } from "./database-access.ts";
import { writeExportFile } from "./export-file.ts";
import { exportOptions, readExportFile, readId, workspaceOption } from "./options.ts";
import { announcingOf } from "./origin.ts";
import { printResult } from "./output.ts";
import { commandActor } from "./record.ts";

export const workspaceDeletionCommands: readonly Command[] = [
  {
    name: "workspace export",
    summary: "Export everything in a workspace as JSON Lines",
    options: {
      workspace: workspaceOption,
      to: { value: "FILE", meaning: "File to create; an existing file is never overwritten", isRequired: true },
    },
    notes: [
      "Each line is one stored row, without secrets or their hashes. The last line",
      "contains the number of rows; if it is missing, the file is incomplete. You can",
      "also export a deleted workspace, until it is permanently removed.",
    ],
    run: async (context) => {
      const id = readId(context.options, "workspace");
      const to = context.options.required("to");
      await writeExport(context, id, to);
      printResult(context, { workspace_id: id, file: to }, [`Exported to ${to}.`]);
    },
  },
  {
    name: "workspace delete",
    summary: "Delete a workspace; it can be restored within 7 days",
    options: {
      workspace: workspaceOption,
      ...exportOptions("workspace-ID.jsonl"),
    },
    notes: [
      "Its API keys stop working immediately. After 7 days, the service permanently",
      "removes everything in the workspace, including its ledger and invoices. Keep the",
      "export for as long as the law requires you to keep invoices.",
    ],
    run: async (context) => {
      const { options, config } = context;
      const id = readId(options, "workspace");
      const file = readExportFile(options, `workspace-${id}.jsonl`);
      if (file !== undefined) await writeExport(context, id, file);
      const { origin } = await announcingOf(context);
      const workspace = await inTransaction(context, async (transaction) => {
        const { after } = await deleteWorkspace(transaction, id);
        recordDeletion(transaction, commandActor(), "workspace.delete", after);
        if (config.mail) await mailDeletion(transaction, after, "The operator", origin);
        return after;
      });
      const removal_at = removalOf(workspace.deleted_at ?? "");
      printResult(context, { ...workspace, removal_at, file: file ?? null }, [
        ...(file === undefined ? [] : [`Exported to ${file}.`]),
        `Deleted ${workspace.name} (${id}). It will be permanently removed after ${formatMoment(removal_at)}.`,
        `To restore it before then: ./commonplace workspace restore --workspace ${id}`,
      ]);
    },
  },
  {
    name: "workspace restore",
    summary: "Restore a deleted workspace",
    options: { workspace: workspaceOption },
    run: async (context) => {
      const id = readId(context.options, "workspace");
      const workspace = await inTransaction(context, async (transaction) => {
        const { after } = await restoreWorkspace(transaction, id);
        recordDeletion(transaction, commandActor(), "workspace.restore", after);
        return after;
      });
      printResult(context, workspace, [`Restored ${workspace.name} (${id}). Its API keys work again.`]);
    },
  },
];

/** Writes the whole export from one snapshot. */
async function writeExport(context: CommandContext, id: string, path: string): Promise<void> {
  await readDatabase(context, async (transaction) => {
    const { name } = await requireWorkspace(transaction, id);
    const portions = exportWorkspace((work) => work(transaction), id);
    await writeExportFile(path, name, portions);
  });
  await inTransaction(context, async (transaction) =>
    recordDeletion(transaction, commandActor(), "workspace.export", await requireWorkspace(transaction, id)),
  );
}
