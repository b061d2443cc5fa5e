// ./commonplace team dump, delete, restore: a team is no longer needed, or it is after all.
import { removalOf } from "../../accounts/workspaces/deletion.ts";
import {
  deleteTeam,
  mailTeamDeletion,
  recordTeamDeletion,
  requireKeptTeam,
  restoreTeam,
} from "../../accounts/workspaces/team-deletion.ts";
import { findWorkspaceOfTeam } from "../../accounts/workspaces/teams.store.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import { noteUnlisted } from "../../library/feed/write.ts";
import { exportTeam } from "../../library/workspace/export.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { formatMoment } from "../format.ts";
import type { Command, CommandContext } from "./command.ts";
import { inTransaction, readDatabase } from "./database-access.ts";
import { writeDumpFile } from "./dump-file.ts";
import { dumpOptions, readDumpFile, readId } from "./options.ts";
import { announcingOf } from "./origin.ts";
import { printResult } from "./output.ts";
import { commandActor } from "./record.ts";

const teamOption = { value: "ID", meaning: "Team ID", isRequired: true } as const;

export const teamDeletionCommands: readonly Command[] = [
  {
    name: "team dump",
    summary: "Dump all stored rows of a team as JSON Lines",
    options: {
      team: teamOption,
      to: { value: "FILE", meaning: "File to create; an existing file is never overwritten", isRequired: true },
    },
    notes: [
      "Each line is one stored row, in the form of the table. The last line contains",
      "the number of rows; if it is missing, the file is incomplete. You can also dump",
      "a deleted team, until it is permanently removed.",
      "",
      "A dump cannot be imported. To move snippets, use export.",
    ],
    run: async (context) => {
      const id = readId(context.options, "team");
      const to = context.options.required("to");
      await writeDump(context, id, to);
      printResult(context, { team_id: id, file: to }, [`Dumped to ${to}.`]);
    },
  },
  {
    name: "team delete",
    summary: "Delete a team; it can be restored within 7 days",
    options: { team: teamOption, ...dumpOptions("team-ID.jsonl") },
    notes: [
      "API keys and members lose access to it immediately. After 7 days, the service",
      "permanently removes everything in it. Until then, its snippets count toward the",
      "storage limit of the workspace.",
    ],
    run: async (context) => {
      const { options, config } = context;
      const id = readId(options, "team");
      const file = readDumpFile(options, `team-${id}.jsonl`);
      if (file !== undefined) await writeDump(context, id, file);
      const { origin } = await announcingOf(context);
      const team = await inTransaction(context, async (transaction) => {
        const deleted = await deleteTeam(transaction, await requireWorkspaceOf(transaction, id), id);
        noteUnlisted(transaction, deleted.workspace_id, [id]);
        recordTeamDeletion(transaction, commandActor(), "team.delete", deleted);
        if (config.mail) await mailTeamDeletion(transaction, deleted, "The operator", origin);
        return deleted;
      });
      const removal_at = removalOf(team.deleted_at ?? "");
      printResult(context, { ...team, removal_at, file: file ?? null }, [
        ...(file === undefined ? [] : [`Dumped to ${file}.`]),
        `Deleted ${team.name} (${id}). It will be permanently removed after ${formatMoment(removal_at)}.`,
        `To restore it before then: ./commonplace team restore --team ${id}`,
      ]);
    },
  },
  {
    name: "team restore",
    summary: "Restore a deleted team",
    options: { team: teamOption },
    run: async (context) => {
      const id = readId(context.options, "team");
      const team = await inTransaction(context, async (transaction) => {
        const restored = await restoreTeam(transaction, await requireWorkspaceOf(transaction, id), id);
        noteUnlisted(transaction, restored.workspace_id, [id]);
        recordTeamDeletion(transaction, commandActor(), "team.restore", restored);
        return restored;
      });
      printResult(context, team, [`Restored ${team.name} (${id}).`]);
    },
  },
];

async function requireWorkspaceOf(transaction: Transaction, teamId: string): Promise<string> {
  const workspaceId = await findWorkspaceOfTeam(transaction, teamId);
  if (workspaceId === undefined) throw consoleErrors.notFound("team", teamId);
  return workspaceId;
}

/** Writes all rows from one snapshot. */
async function writeDump(context: CommandContext, id: string, path: string): Promise<void> {
  const team = await readDatabase(context, async (transaction) => {
    const found = await requireKeptTeam(transaction, await requireWorkspaceOf(transaction, id), id);
    const portions = exportTeam((work) => work(transaction), found.workspace_id, id);
    await writeDumpFile(path, found.name, portions);
    return found;
  });
  await inTransaction(context, async (transaction) =>
    recordTeamDeletion(transaction, commandActor(), "team.export", team),
  );
}
