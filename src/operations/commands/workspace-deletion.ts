// ./commonplace workspace dump, delete, restore: a customer leaves, or comes back in time.
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
import { writeDumpFile } from "./dump-file.ts";
import { dumpOptions, readDumpFile, readId, workspaceOption } from "./options.ts";
import { announcingOf } from "./origin.ts";
import { printResult } from "./output.ts";
import { commandActor } from "./record.ts";

export const workspaceDeletionCommands: readonly Command[] = [
  {
    name: "workspace dump",
    summary: "Dump all stored rows of a workspace as JSON Lines",
    options: {
      workspace: workspaceOption,
      to: { value: "FILE", meaning: "File to create; an existing file is never overwritten", isRequired: true },
    },
    notes: [
      "Each line is one stored row, in the form of the table, without secrets or their",
      "hashes. The last line contains the number of rows; if it is missing, the file is",
      "incomplete. You can also dump a deleted workspace, until it is permanently",
      "removed.",
      "",
      "A dump cannot be imported. To move snippets, use export.",
    ],
    run: async (context) => {
      const id = readId(context.options, "workspace");
      const to = context.options.required("to");
      await writeDump(context, id, to);
      printResult(context, { workspace_id: id, file: to }, [`Dumped to ${to}.`]);
    },
  },
  {
    name: "workspace delete",
    summary: "Delete a workspace; it can be restored within 7 days",
    options: {
      workspace: workspaceOption,
      ...dumpOptions("workspace-ID.jsonl"),
    },
    notes: [
      "Its API keys stop working immediately. After 7 days, the service permanently",
      "removes everything in the workspace, including its ledger and invoices. Keep the",
      "dump for as long as the law requires you to keep invoices.",
    ],
    run: async (context) => {
      const { options, config } = context;
      const id = readId(options, "workspace");
      const file = readDumpFile(options, `workspace-${id}.jsonl`);
      if (file !== undefined) await writeDump(context, id, file);
      const { origin } = await announcingOf(context);
      const workspace = await inTransaction(context, async (transaction) => {
        const { after } = await deleteWorkspace(transaction, id);
        recordDeletion(transaction, commandActor(), "workspace.delete", after);
        if (config.mail) await mailDeletion(transaction, after, "The operator", origin);
        return after;
      });
      const removal_at = removalOf(workspace.deleted_at ?? "");
      printResult(context, { ...workspace, removal_at, file: file ?? null }, [
        ...(file === undefined ? [] : [`Dumped to ${file}.`]),
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

/** Writes all rows from one snapshot. */
async function writeDump(context: CommandContext, id: string, path: string): Promise<void> {
  await readDatabase(context, async (transaction) => {
    const { name } = await requireWorkspace(transaction, id);
    const portions = exportWorkspace((work) => work(transaction), id);
    await writeDumpFile(path, name, portions);
  });
  await inTransaction(context, async (transaction) =>
    recordDeletion(transaction, commandActor(), "workspace.export", await requireWorkspace(transaction, id)),
  );
}
