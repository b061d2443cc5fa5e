// `cpl sync`: writes the snippets of a team where another tool reads them, and uploads changes to Markdown files.
import { resolve } from "node:path";
import { exitStatus } from "../../../src/contract/exit-status.ts";
import type { Command } from "../command.ts";
import { Failure, UsageError } from "../failures.ts";
import { requireTeam } from "../references.ts";
import { applySync, type Plan, planSync } from "../sync/directory.ts";
import { follow } from "../sync/follow.ts";
import { isTargetId, type Target, targetIds, targets } from "../sync/targets.ts";
import { TeamContents } from "../sync/team-contents.ts";
import { abortOnInterrupt } from "../terminal/interrupt.ts";
import { notice, pluralize, printJson, status, warn } from "../terminal/print.ts";

const warningsShown = 5;
const pathsShown = 3;

export const sync: Command = {
  name: "sync",
  summary: "Write a team's snippets to files that another tool reads",
  arguments: [{ value: "TOOL", meaning: targetIds.join(", "), choices: targetIds }],
  options: {
    team: { value: "TEAM", meaning: "the team, by name or ID; not needed if your key has access to only one" },
    to: { value: "DIRECTORY", meaning: "where to write; needed for markdown, jetbrains, and raycast" },
    watch: { meaning: "keep the files up to date until you press Ctrl+C" },
    "two-way": { meaning: "for markdown: also upload your changes to the files" },
    delete: { meaning: "with --two-way: allow more than 10 deletions in 10 minutes" },
    "dry-run": { meaning: "only show what would change" },
  },
  notes: [
    "To update the files, run the same command again, or use --watch. cpl changes and",
    "removes only files that it created. If you have changed one, cpl keeps your file",
    "and exits with status 3. Each snippet costs 1 unit. Archived snippets are left",
    "out. With --watch, each change costs up to 3 units, and waiting costs 144 units",
    "per hour.",
    "",
    "With --two-way, what you change in the Markdown files is uploaded too: text,",
    "fields, new files, renamed files, and moved files. If you delete a file, its",
    "snippet moves to the trash. If you and someone else change the same lines, the",
    "file gets their version, and yours is kept beside it in a file such as",
    '"Refund (conflict 2026-11-23 10.15).md". An upload costs up to 4',
    "units, plus up to 2 for each new tag or folder, and up to 11 if it is merged with",
    "another change. The first sync costs 1 more unit for each variation.",
  ],
  run: async ({ words: [id = ""], options, isJson, settings, connect }) => {
    if (!isTargetId(id)) throw new UsageError(`TOOL must be one of: ${targetIds.join(", ")}`, "sync");
    const target: Target = targets[id];
    const [isDry, isWatching] = [options.isSet("dry-run"), options.isSet("watch")];
    if (isDry && isWatching) throw new UsageError("--watch and --dry-run cannot be combined", "sync");
    const to = options.text("to") ?? target.directory?.(settings.environment);
    if (to === undefined) throw new UsageError(`--to is required for ${id}`, "sync");
    const directory = resolve(to);
    const isTwoWay = options.isSet("two-way");
    if (isTwoWay && id !== "markdown") throw new UsageError("--two-way is only for markdown", "sync");
    if (options.isSet("delete") && !isTwoWay) throw new UsageError("--delete is only for --two-way", "sync");
    const { client } = await connect();
    const teamId = await requireTeam(client, options.text("team"));
    const team = (await client.getTeams()).data.teams.find((each) => each.id === teamId);
    if (!team) throw new Failure("your key has no access to this team");
    // Loaded only here, so that other commands start sooner.
    await import("../sync/node-20.ts");
    const [{ writeFiles }, { fileName }, { runTwoWay }, { readState }] = await Promise.all([
      import("../../../src/library/formats/formats.ts"),
      import("../../../src/library/formats/file-names.ts"),
      import("../sync/two-way/run.ts"),
      import("../sync/two-way/store.ts"),
    ]);
    const signal = isWatching ? abortOnInterrupt() : undefined;
    const place = (path: string) => target.place(fileName(team.name), path);
    const filesOf = (read: TeamContents) => {
      const { files, warnings } = writeFiles(read.tree(target.keepsNotes), id);
      return { files: files.map(({ path, bytes }) => ({ path: place(path), bytes })), warnings };
    };
    if (isTwoWay)
      return await runTwoWay({
        ...{ client, teamId, directory, root: place("."), isDry, isJson, signal },
        isDeleting: options.isSet("delete"),
        oneWayFiles: (read) => filesOf(read).files,
      });
    if (id === "markdown" && readState(directory, teamId))
      throw new Failure(`${directory} is synced in both directions. Add --two-way`);
    const contents = new TeamContents(client, teamId, signal && { signal });
    const write = (): Written => {
      const { files, warnings } = filesOf(contents);
      const plan = planSync(directory, teamId, files);
      if (!isDry) applySync(directory, teamId, plan);
      return { directory, plan, fileCount: files.length, warnings: warnings.map(({ message }) => message) };
    };
    if (signal) return await watch({ client, teamId, contents, write, isJson, signal });
    await contents.readAll();
    const written = write();
    report(written, contents.size, isJson, isDry);
    if (written.plan.kept.length > 0) process.exitCode = exitStatus.attention;
  },
};

interface Written {
  readonly directory: string;
  readonly plan: Plan;
  readonly fileCount: number;
  readonly warnings: readonly string[];
}

interface Watched {
  readonly client: ConstructorParameters<typeof TeamContents>[0];
  readonly teamId: string;
  readonly contents: TeamContents;
  readonly write: () => Written;
  readonly isJson: boolean;
  readonly signal: AbortSignal;
}

/** Ctrl+C is how it is meant to end, so it is no failure. */
async function watch({ client, teamId, contents, write, isJson, signal }: Watched): Promise<void> {
  let before: Written | undefined;
  const writeAndReport = (): void => {
    const written = write();
    if (!before) {
      report(written, contents.size, isJson);
      status("Watching for changes. Press Ctrl+C to stop.");
    } else reportUpdate(written, before, isJson);
    before = written;
  };
  const follower = {
    readAll: () => contents.readAll(),
    update: contents.update.bind(contents),
    write: writeAndReport,
  };
  try {
    await follow(client, teamId, follower, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    status("Stopped.");
  }
}

/** Says what the files are now. */
function report(written: Written, snippetCount: number, isJson: boolean, isDry = false): void {
  const { directory, plan, fileCount, warnings } = written;
  if (isJson) {
    printJson(jsonOf(written));
    return;
  }
  if (isDry) status("Dry run: no changes made.");
  warn(warnings.slice(0, warningsShown));
  for (const file of plan.kept) notice(describeKept(file));
  const counts = `${pluralize(snippetCount, "snippet")} in ${pluralize(fileCount, "file")}`;
  const [created, changed, removed] = [createdPaths(plan), changedPaths(plan), plan.removed];
  if (isDry) {
    if (created.length > 0) status(`Would create ${listPaths(created)}.`);
    if (changed.length > 0) status(`Would update ${listPaths(changed)}.`);
    if (removed.length > 0) status(`Would remove ${listPaths(removed)}.`);
  }
  const files = pluralize(created.length, "file");
  status(
    isDry
      ? `Would sync ${counts} to ${directory}: create ${files}, change ${changed.length}, and remove ${removed.length}.`
      : `Synced ${counts} to ${directory}: ${files} created, ${changed.length} changed, ${removed.length} removed.`,
  );
}

const createdPaths = ({ written }: Plan): string[] => written.filter(({ isNew }) => isNew).map(({ path }) => path);
const changedPaths = ({ written }: Plan): string[] => written.filter(({ isNew }) => !isNew).map(({ path }) => path);

/** Says what is different from before, if anything is. */
function reportUpdate(written: Written, before: Written, isJson: boolean): void {
  const { plan, warnings } = written;
  const kept = plan.kept.map(describeKept).filter((message) => !before.plan.kept.map(describeKept).includes(message));
  const [created, changed] = [createdPaths(plan), changedPaths(plan)];
  if (created.length + changed.length + plan.removed.length + kept.length === 0) return;
  if (isJson) {
    printJson(jsonOf(written));
    return;
  }
  warn(warnings.filter((each) => !before.warnings.includes(each)).slice(0, warningsShown));
  for (const message of kept) notice(message);
  if (created.length > 0) status(`Created ${listPaths(created)}.`);
  if (changed.length > 0) status(`Updated ${listPaths(changed)}.`);
  if (plan.removed.length > 0) status(`Removed ${listPaths(plan.removed)}.`);
}

const jsonOf = ({ directory, plan, warnings }: Written) => ({
  directory,
  ...plan,
  written: plan.written.map(({ path }) => path),
  warnings,
});

const describeKept = ({ path, reason }: Plan["kept"][number]): string => `${path} ${reason}, so it stays as it is.`;

const listPaths = (paths: readonly string[]): string =>
  paths.length > pathsShown ? pluralize(paths.length, "file") : paths.join(", ");
