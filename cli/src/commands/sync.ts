// `cpl sync`: writes the snippets of a team where another tool reads them.
import { resolve } from "node:path";
import type { Command } from "../command.ts";
import { exitStatus, Failure, UsageError } from "../failures.ts";
import { requireTeam } from "../references.ts";
import { applySync, planSync } from "../sync/directory.ts";
import { isTargetId, type Target, targetIds, targets } from "../sync/targets.ts";
import { readTeam } from "../sync/team-tree.ts";
import { notice, pluralize, printJson } from "../terminal/print.ts";

const warningsShown = 5;

export const sync: Command = {
  name: "sync",
  summary: "Write a team's snippets to files that another tool reads",
  arguments: [{ value: "TOOL", meaning: targetIds.join(", "), choices: targetIds }],
  options: {
    team: { value: "TEAM", meaning: "the team, by name or ID; not needed if your key has access to only one" },
    to: { value: "DIRECTORY", meaning: "where to write; needed for markdown, jetbrains, and raycast" },
    "dry-run": { meaning: "only show what would change" },
  },
  notes: [
    "To update the files, run the same command again. It changes and removes only",
    "files that it created. If you have changed one of them, it keeps your file and",
    "exits with status 1. Each snippet costs 1 unit. Archived snippets are left out.",
  ],
  run: async ({ words: [id = ""], options, isJson, settings, connect }) => {
    if (!isTargetId(id)) throw new UsageError(`TOOL must be one of: ${targetIds.join(", ")}`, "sync");
    const target: Target = targets[id];
    const to = options.text("to") ?? target.directory?.(settings.environment);
    if (to === undefined) throw new UsageError(`--to is required for ${id}`, "sync");
    const directory = resolve(to);
    const { client } = await connect();
    const teamId = await requireTeam(client, options.text("team"));
    const team = (await client.getTeams()).data.teams.find((each) => each.id === teamId);
    if (!team) throw new Failure("your key has no access to this team");
    // Loaded only here, so that other commands start sooner.
    await import("../sync/node-20.ts");
    const [{ writeFiles }, { fileName }] = await Promise.all([
      import("../../../src/library/formats/formats.ts"),
      import("../../../src/library/formats/file-names.ts"),
    ]);
    const tree = await readTeam(client, teamId, target.keepsNotes);
    const { files, warnings } = writeFiles(tree, id);
    const placed = files.map(({ path, bytes }) => ({ path: target.place(fileName(team.name), path), bytes }));
    const plan = planSync(directory, teamId, placed);
    const isDry = options.isSet("dry-run");
    if (!isDry) applySync(directory, teamId, plan);
    const result = { ...plan, written: plan.written.map(({ path }) => path) };
    if (isJson) printJson({ directory, ...result, warnings: warnings.map(({ message }) => message) });
    else {
      for (const { message } of warnings.slice(0, warningsShown)) notice(message);
      for (const { path, reason } of plan.kept) notice(`${path} ${reason}, so it stays as it is.`);
      const done = isDry ? "Would sync" : "Synced";
      const counts = `${pluralize(tree.snippets.length, "snippet")} in ${pluralize(files.length, "file")}`;
      const changes = `${pluralize(result.written.length, "file")} changed, ${plan.removed.length} removed`;
      notice(`${done} ${counts} to ${directory}: ${changes}.`);
    }
    if (plan.kept.length > 0) process.exitCode = exitStatus.failure;
  },
};
