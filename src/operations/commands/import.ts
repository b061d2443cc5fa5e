// ./commonplace import …: the texts of other tools, or of an archive, come into a team.
import { findMemberByEmail } from "../../accounts/members/members.store.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import { exitStatus } from "../../contract/exit-status.ts";
import { duplicateChoices } from "../../contract/transfer.ts";
import { isUuid } from "../../contract/uuid.ts";
import {
  type ColumnChoice,
  columns,
  type FormatId,
  formatIds,
  isFormatId,
  readColumns,
} from "../../library/formats/format-ids.ts";
import { previewLines, previewLinesMax, section } from "../../library/formats/import-preview.ts";
import { countWarnings, type Warning } from "../../library/formats/tree.ts";
import { findTeamPlace } from "../../library/import/imports.store.ts";
import { findPastImport } from "../../library/import/past-imports.ts";
import { type Counts, countPlan, type OnDuplicate, type PlannedGroup } from "../../library/import/plan.ts";

import {
  type ImportOutcome,
  type ImportRun,
  type ImportSource,
  type PlanWithWarnings,
  previewImport,
  runImport,
  undoDays,
} from "../../library/import/run.ts";

import { undoImport } from "../../library/import/undo.ts";
import { findKey } from "../../metering/keys/keys.store.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { formatNumber } from "../format.ts";
import type { Command, CommandContext, ParsedOptions } from "./command.ts";
import { inPortions } from "./database-access.ts";
import { listInLines } from "./format-notes.ts";
import { prepareReport, reportOption } from "./import-report.ts";
import { lineOf, openSource, operatorErrorOf } from "./import-source.ts";
import { readId } from "./options.ts";
import { bold, printResult } from "./output.ts";
import { startProgressBar } from "./progress.ts";
import { recordCommand } from "./record.ts";
import { operatorCall } from "./trash.ts";

export const importCommands: readonly Command[] = [
  {
    name: "import",
    summary: "Import snippets from a file or a folder into a team",
    argument: { value: "FILE", meaning: "A file, a folder, or a zip file", isRequired: true },
    options: {
      team: { value: "ID", meaning: "The team to import into", isRequired: true },
      format: { value: "FORMAT", meaning: "The format (see below), if it is not recognized" },
      columns: {
        value: "FIELD=COLUMN",
        meaning: "Table column for a field, such as title=Name; can be repeated",
        isRepeatable: true,
      },
      "on-duplicate": {
        value: "CHOICE",
        meaning: "skip (default), replace (add a new version), or create (add another snippet)",
      },
      "all-or-nothing": { meaning: "Import nothing if anything cannot be imported" },
      as: { value: "EMAIL|ID", meaning: "The author: a member's email address, or the ID of an API key" },
      report: reportOption,
      "dry-run": { meaning: "Show what would be imported, without changing anything" },
    },
    notes: [
      ...listInLines("Formats:", formatIds),
      ...listInLines("Fields of a table:", columns),
      "A snippet is a duplicate if the team already has a snippet with the same text,",
      "or with the same shortcut and content type. An interrupted import continues when",
      "you run the same command again.",
    ],
    run: importFiles,
  },
  {
    name: "import undo",
    summary: "Undo an import",
    options: { import: { value: "ID", meaning: "The ID that the import printed", isRequired: true } },
    notes: [
      "Moves the imported snippets to the trash, and restores the text that the import",
      "replaced. Anything changed since then is kept.",
      `You can undo an import within ${undoDays} days.`,
    ],
    run: undo,
  },
];

async function importFiles(context: CommandContext): Promise<void> {
  const { options } = context;
  const path = options.argument ?? options.refuse("FILE is required");
  const choices = { format: readFormat(options), columns: readChosenColumns(options) };
  const onDuplicate = readChoice(options);
  const teamId = readId(options, "team");
  const saveReport = prepareReport(options);
  const source = await openSource(path, choices);
  const importing = inPortions(context, async (database) => {
    const place = await database.read((transaction) => findTeamPlace(transaction, teamId));
    if (!place) throw consoleErrors.notFound("team", teamId);
    const workspaceId = place.workspace_id;
    const isAllOrNothing = options.isSet("all-or-nothing");
    const target = { workspaceId, teamId, folderId: null, onDuplicate, isAllOrNothing };
    if (options.isSet("dry-run")) {
      const plan = await previewImport((work) => database.read(work), target, source);
      saveReport(plan.problems, plan.warnings);
      const { formats } = await import("../../library/formats/formats.ts");
      return printPreview(context, formats[source.format].name, source, plan);
    }
    const author = await database.read((transaction) => findAuthor(transaction, workspaceId, options));
    const run = startRun(context, database, workspaceId, "Importing", "steps", author);
    const onPlan = ({ problems }: PlanWithWarnings) => {
      // All or nothing: these are why nothing is imported.
      if (isAllOrNothing && problems.length > 0) saveReport(problems, []);
    };
    const outcome = await runImport({ ...run, onPlan }, target, source).finally(run.end);
    saveReport([...outcome.plan.problems, ...outcome.failures], outcome.plan.warnings);
    await database.transaction(async (transaction) =>
      recordCommand(transaction, workspaceId, {
        action: "library.import",
        target: { kind: "team", id: teamId, name: place.name },
        after: { import: outcome.id, snippets: outcome.created, format: source.format, ...(author && { author }) },
      }),
    );
    printOutcome(context, source, outcome);
  });
  await importing.finally(source.close).catch((error: unknown) => {
    // An archive that was changed while it was being imported.
    throw operatorErrorOf(error);
  });
}

function readFormat(options: ParsedOptions): FormatId | undefined {
  const text = options.text("format");
  if (text === undefined || isFormatId(text)) return text;
  return options.refuse(`--format must be one of: ${formatIds.join(", ")}`);
}

function readChoice(options: ParsedOptions): OnDuplicate {
  const text = options.text("on-duplicate") ?? "skip";
  return (
    duplicateChoices.find((choice) => choice === text) ??
    options.refuse("--on-duplicate must be skip, replace, or create")
  );
}

function readChosenColumns(options: ParsedOptions): ColumnChoice | undefined {
  if (!options.isSet("columns")) return undefined;
  return (
    readColumns(options.texts("columns")) ??
    options.refuse(`--columns must be FIELD=COLUMN, each field once. Fields: ${columns.join(", ")}`)
  );
}

/** Who the operator says is the author; undefined for nobody. @throws OperatorError for someone else's member or key */
async function findAuthor(
  transaction: Transaction,
  workspaceId: string,
  options: ParsedOptions,
): Promise<string | undefined> {
  const text = options.text("as");
  if (text === undefined) return undefined;
  const found = isUuid(text)
    ? (await findKey(transaction, text.toLowerCase(), workspaceId))?.id
    : (await findMemberByEmail(transaction, workspaceId, text.trim().toLowerCase()))?.person_id;
  if (found === undefined) throw new OperatorError(`the workspace has no member or API key ${text}`);
  return found;
}

function startRun(
  context: CommandContext,
  database: Database,
  workspaceId: string,
  label: string,
  unit: string,
  author?: string,
) {
  let bar: ReturnType<typeof startProgressBar> | undefined;
  const run: ImportRun = {
    database,
    callOf: (transaction) => operatorCall(transaction, workspaceId, context.config, author),
    goOn: () => true,
    onProgress: (done, total) => {
      bar ??= startProgressBar(label, total, unit);
      bar.update(done);
    },
  };
  return { ...run, end: () => bar?.end() };
}

const counted = (count: number, noun: string): string => `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;

const countLines = ({ folders, tags, created, replaced, skipped }: Counts, verb: string): string[] => [
  `${counted(created, "snippet")} ${verb}, with ${counted(folders, "new folder")} and ${counted(tags, "new tag")}.`,
  ...(replaced > 0
    ? [`${counted(replaced, "existing snippet")} ${verb === "imported" ? "got" : "would get"} a new version.`]
    : []),
  ...(skipped > 0 ? [`${counted(skipped, "duplicate")} ${verb === "imported" ? "skipped" : "would be skipped"}.`] : []),
];

/** With places. */
const notes = (heading: string, warnings: readonly Warning[]): string[] =>
  section(bold(heading), warnings.map(lineOf), countWarnings(warnings), ". Use --report FILE to list all.");

/** The paths of those that do not exist yet. */
function newPaths(groups: readonly PlannedGroup[]): string[] {
  const paths = new Map<string, string>();
  for (const { group } of groups)
    paths.set(group.key, [...(group.parent === null ? [] : [paths.get(group.parent)]), group.name].join(" / "));
  return groups.flatMap(({ group, existingId }) => (existingId === null ? (paths.get(group.key) ?? []) : []));
}

function printPreview(context: CommandContext, format: string, source: ImportSource, plan: PlanWithWarnings): void {
  const counts = countPlan(plan);
  const snippets = plan.snippets.slice(0, previewLinesMax).flatMap(({ kind, at }) => {
    const snippet = source.tree.snippets.at(at);
    return snippet ? [{ ...snippet, action: kind, duplicate: plan.duplicates[at] ?? null }] : [];
  });
  const [newFolders, newTags] = [newPaths(plan.folders), newPaths(plan.tags)];
  const listed = { folders: newFolders.length, tags: newTags.length, snippets: plan.snippets.length };
  const data = { format: source.format, ...counts, new_folders: newFolders, new_tags: newTags };
  printResult(context, { ...data, problems: plan.problems, warnings: plan.warnings }, [
    `Format: ${format}`,
    ...countLines(counts, "would be imported"),
    ...previewLines({ newFolders, newTags, snippets, counts: listed }, bold),
    ...notes("Cannot be imported", plan.problems),
    ...notes("Warnings", plan.warnings),
  ]);
  if (plan.problems.length > 0) process.exitCode = exitStatus.attention;
}

function printOutcome(context: CommandContext, source: ImportSource, outcome: ImportOutcome): void {
  const { id, plan, failures, isResumed, isFinished: _, ...counts } = outcome;
  const problems = [...plan.problems, ...failures];
  const madeCount = counts.folders + counts.tags + counts.created + counts.replaced;
  printResult(
    context,
    { id, format: source.format, is_resumed: isResumed, ...counts, problems, warnings: plan.warnings },
    [
      ...(isResumed ? ["Continued the interrupted import."] : []),
      ...countLines(counts, "imported"),
      ...notes("Not imported", problems),
      ...notes("Warnings", plan.warnings),
      ...(madeCount > 0 ? ["", "To undo it:", `  ./commonplace import undo --import ${id}`] : []),
    ],
  );
  if (problems.length > 0) process.exitCode = exitStatus.attention;
}

async function undo(context: CommandContext): Promise<void> {
  const importId = readId(context.options, "import");
  await inPortions(context, async (database) => {
    const found = await database.read((transaction) => findPastImport(transaction, importId));
    if (!found) throw new OperatorError(`import not found: ${importId}. It may be too old to undo`);
    const workspaceId = found.workspace_id;
    const run = startRun(context, database, workspaceId, "Undoing", "items");
    const { deleted, restored, kept } = await undoImport(run, workspaceId, importId).finally(run.end);
    await database.transaction(async (transaction) => {
      const place = await findTeamPlace(transaction, found.team_id);
      recordCommand(transaction, workspaceId, {
        action: "library.undo_import",
        target: { kind: "team", id: found.team_id, name: place?.name ?? null },
        after: { import: importId, snippets: deleted },
      });
    });
    printResult(context, { id: importId, deleted, restored, kept }, [
      `Moved ${counted(deleted, "snippet")} to the trash, and restored the text of ${counted(restored, "snippet")}.`,
      ...(kept > 0
        ? [
            `${counted(kept, "snippet")} left as ${kept === 1 ? "it is" : "they are"}: changed or deleted since the import.`,
          ]
        : []),
    ]);
  });
}
