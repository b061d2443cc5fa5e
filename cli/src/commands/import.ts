// `cpl import`, `cpl import list`, and `cpl import undo`: files of other tools come into a team, and go again.
import { existsSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import {
  type Commonplace,
  InvalidRequestError,
  NotFoundError,
  type PostImportArguments,
  type PostImportResponse,
} from "../../../sdk/src/index.ts";
import { exitStatus } from "../../../src/contract/exit-status.ts";
import { columns, formatIds, isFormatId, readColumns } from "../../../src/library/formats/format-ids.ts";
import { formatNames } from "../../../src/library/formats/format-names.ts";
import { previewLines } from "../../../src/library/formats/import-preview.ts";
import { importReport } from "../../../src/library/formats/import-report.ts";
import type { Command, ParsedOptions } from "../command.ts";
import { Failure, UsageError } from "../failures.ts";
import { readSource } from "../import-source.ts";
import { findGroups, findTeam, isId, requireTeam } from "../references.ts";
import { adviseOnInterrupt } from "../terminal/interrupt.ts";
import { formatMoment, notice, pluralize, print, printJson, printTable } from "../terminal/print.ts";
import { startProgress } from "../terminal/progress.ts";
import { bold, oneLine } from "../terminal/style.ts";
import { teamOption } from "./get.ts";
import { inLines, ownTeam } from "./transfer.ts";

const choices = ["skip", "replace", "create"] as const;
const notesShown = 20;
const group = { name: "import", summary: "Import a file into a team, list imports, and undo them" } as const;

export const importFile: Command = {
  name: "import",
  summary: "Import a file from another tool, or an archive, into a team",
  arguments: [{ value: "FILE", meaning: "a file, a directory, or a zip file" }],
  options: {
    team: ownTeam,
    folder: { value: "FOLDER", meaning: "import everything into this folder, by path or ID" },
    format: { value: "FORMAT", meaning: "the format, if it is not recognized", choices: formatIds },
    columns: {
      value: "FIELD=COLUMN",
      meaning: "the column of a table for a field, such as title=Name; can be repeated",
      isRepeatable: true,
    },
    "on-duplicate": {
      value: "CHOICE",
      meaning: "skip (default), replace (add a new version), or create (add another snippet)",
      choices,
    },
    "all-or-nothing": { meaning: "import nothing if anything cannot be imported" },
    "dry-run": { meaning: "only show what would be imported" },
    report: { value: "CSV", meaning: "save a table of problems and warnings to a new file" },
  },
  notes: [
    ...inLines(formatIds),
    "In a directory, hidden files and links are left out. A file, or a directory as a",
    "zip file, can be at most 8 MiB.",
    "A snippet is a duplicate if the team already has a snippet with the same text,",
    "or with the same shortcut and content type. An interrupted import continues when",
    "you run the same command again. Each snippet, folder, and tag costs 1 unit, and",
    "so does each request, which imports up to 500 of them.",
    "cpl import list shows the imports of the last 30 days, and cpl import undo",
    "undoes one. To import a file with such a name, write ./list or ./undo.",
  ],
  run: async ({ words: [path = ""], options, isJson, connect }) => {
    const { report, ...choices } = readOptions(options);
    const source = readSource(path);
    const { client } = await connect();
    const teamId = await requireTeam(client, options.text("team"));
    const { folderId } = await findGroups(client, { teamId, folder: options.text("folder"), tags: [] });
    const request = { ...choices, teamId, folderId: folderId ?? undefined, ...source };
    const answers = await importAll(client, request).catch((error: unknown) => {
      if (!(error instanceof InvalidRequestError) || error.problems.length === 0) throw error;
      report(error.problems, []);
      // The message has the first one.
      if (error.problems.length > 1) showNotes("Cannot be imported", error.problems);
      throw error;
    });
    // What cannot be imported is in each response; what was refused on the way, in one.
    const problems = [
      ...new Map(answers.flatMap(({ data }) => data.problems).map((note) => [lineOf(note), note])).values(),
    ];
    report(problems, answers.at(-1)?.data.warnings ?? []);
    show(answers, problems, request.dryRun, isJson);
  },
};

/** @throws UsageError for what makes no sense; Failure for a report that cannot be saved */
function readOptions(options: ParsedOptions) {
  const format = options.text("format");
  if (format !== undefined && !isFormatId(format))
    throw new UsageError(`--format must be one of: ${formatIds.join(", ")}`, "import");
  const onDuplicate = choices.find((choice) => choice === (options.text("on-duplicate") ?? "skip"));
  if (!onDuplicate) throw new UsageError("--on-duplicate must be skip, replace, or create", "import");
  const chosen = options.isSet("columns") ? readColumns(options.texts("columns")) : undefined;
  if (options.isSet("columns") && !chosen)
    throw new UsageError(`--columns must be FIELD=COLUMN, each field once. Fields: ${columns.join(", ")}`, "import");
  const path = options.text("report");
  if (path !== undefined && existsSync(path)) throw new Failure(`${path} already exists`);
  if (path !== undefined && !existsSync(dirname(path))) throw new Failure(`${dirname(path)} does not exist`);
  return {
    ...{ format, onDuplicate, columns: chosen },
    ...{ allOrNothing: options.isSet("all-or-nothing"), dryRun: options.isSet("dry-run") },
    report: (problems: readonly Note[], warnings: readonly Note[]) => {
      if (path !== undefined) writeFileSync(path, importReport(problems, warnings), { flag: "wx", mode: 0o600 });
    },
  };
}

/** Sends the file until all of it is imported. Of everything or nothing, nothing stays where a later request is refused. */
async function importAll(client: Commonplace, request: PostImportArguments): Promise<PostImportResponse[]> {
  const answers: PostImportResponse[] = [];
  const progress = startProgress(request.dryRun ? "Reading" : "Importing");
  let done = 0;
  if (!request.dryRun) adviseOnInterrupt("Interrupted. To continue the import, run the same command again.");
  try {
    do {
      const answer = await client.postImport({ ...request, importId: answers.at(-1)?.data.importId ?? undefined });
      answers.push(answer);
      const { createdCount, replacedCount, folderCount, tagCount, remainingCount } = answer.metadata;
      done += createdCount + replacedCount + folderCount + tagCount;
      if (!request.dryRun) progress.update(done, done + remainingCount);
    } while (!request.dryRun && answers.at(-1)?.data.isFinished === false);
    return answers;
  } catch (error) {
    const importId = answers.at(-1)?.data.importId;
    if (request.allOrNothing && importId) await undoAll(client, importId);
    throw error;
  } finally {
    adviseOnInterrupt(undefined);
    progress.end();
  }
}

function show(
  answers: readonly PostImportResponse[],
  problems: readonly Note[],
  isDry: boolean | undefined,
  isJson: boolean,
): void {
  const sum = (name: "createdCount" | "replacedCount" | "folderCount" | "tagCount") =>
    answers.reduce((total, { metadata }) => total + metadata[name], 0);
  const last = answers.at(-1);
  if (!last) return;
  const { warnings, format, importId } = last.data;
  const counts = {
    ...{
      created: sum("createdCount"),
      replaced: sum("replacedCount"),
      skipped: answers[0]?.metadata.skippedCount ?? 0,
    },
    ...{ folders: sum("folderCount"), tags: sum("tagCount") },
  };
  if (isJson) {
    const preview = isDry && listPreview(last.data);
    printJson({ import_id: importId, format, ...counts, ...preview, problems, warnings });
  } else {
    print(`Format: ${isFormatId(format) ? formatNames[format] : format}\n`);
    const [imported, added, skipped] = isDry
      ? (["Would import", "Would add", "Would skip"] as const)
      : (["Imported", "Added", "Skipped"] as const);
    print(
      `${imported} ${pluralize(counts.created, "snippet")}, ${pluralize(counts.folders, "folder")}, and ${pluralize(counts.tags, "tag")}.\n`,
    );
    if (counts.replaced > 0) print(`${added} a new version to ${pluralize(counts.replaced, "snippet")}.\n`);
    if (counts.skipped > 0) print(`${skipped} ${pluralize(counts.skipped, "duplicate")}.\n`);
    if (isDry) printPreview(last.data, counts);
    const { problemCount, warningCount } = last.metadata;
    showNotes(isDry ? "Cannot be imported" : "Not imported", problems, problemCount);
    showNotes("Warnings", warnings, warningCount);
    if (importId !== null && counts.created + counts.replaced + counts.folders + counts.tags > 0)
      print(`To undo it: cpl import undo ${importId}\n`);
  }
  if (problems.length > 0) process.exitCode = exitStatus.attention;
}

type Imported = PostImportResponse["data"];

/** What a dry run lists. */
const listPreview = ({ folders, tags, snippets }: Imported) => ({
  new_folders: newPaths(folders),
  new_tags: newPaths(tags),
  snippets,
});

function printPreview(
  data: Imported,
  counts: Readonly<Record<"created" | "replaced" | "skipped" | "folders" | "tags", number>>,
): void {
  const { new_folders, new_tags, snippets } = listPreview(data);
  const lines = previewLines(
    {
      newFolders: new_folders.map(oneLine),
      newTags: new_tags.map(oneLine),
      snippets: snippets.map((each) => ({
        ...each,
        title: oneLine(each.title),
        shortcut: each.shortcut === null ? null : oneLine(each.shortcut),
        duplicate: each.duplicate && { ...each.duplicate, title: oneLine(each.duplicate.title) },
      })),
      counts: { ...counts, snippets: counts.created + counts.replaced + counts.skipped },
    },
    bold,
  );
  print(lines.map((line) => `${line}\n`).join(""));
}

/** The paths of those that do not exist yet. */
function newPaths(groups: Imported["folders"]): string[] {
  const pathOf = ({ name, parent }: Imported["folders"][number]): string => {
    const outer = parent === null ? undefined : groups[parent];
    return outer ? `${pathOf(outer)} / ${name}` : name;
  };
  return groups.filter((group) => group.is_new).map(pathOf);
}

type Note = Imported["problems"][number];

const lineOf = ({ file, line, message }: Note): string =>
  `${file === null ? "" : `${file}${line === null ? "" : `:${line}`}: `}${message}`;

/** @param count of all, also of those that the response does not list */
function showNotes(heading: string, notes: readonly Note[], count = notes.length): void {
  if (notes.length === 0) return;
  notice(`${heading}:`);
  for (const note of notes.slice(0, notesShown)) notice(`  ${lineOf(note)}`);
  const more = Math.max(count, notes.length) - notesShown;
  if (more <= 0) return;
  const saved = count > notes.length ? `the first ${notes.length.toLocaleString("en-US")}` : "all of them";
  notice(`  and ${more.toLocaleString("en-US")} more. --report saves ${saved}.`);
}

export const listImports: Command = {
  name: "import list",
  group,
  summary: "List the imports of the last 30 days",
  arguments: [],
  options: { team: teamOption },
  notes: ["Costs 1 unit for each import listed, and 1 more for each 100 or part of 100."],
  run: async ({ options, isJson, connect }) => {
    const { client } = await connect();
    const teamId = await findTeam(client, options.text("team"));
    const imports = [];
    for await (const { data } of client.getImportsPages({ teamId, limit: 100 })) imports.push(...data.imports);
    if (isJson) return printJson(imports);
    printTable(
      ["id", "file", "imported", "status", "format"],
      imports.map(({ id, file_name, created_at, status, format }) => [
        ...[id, file_name, formatMoment(created_at), status, format],
      ]),
      { shortened: "file" },
    );
  },
};

export const undoImport: Command = {
  name: "import undo",
  group,
  summary: "Undo an import",
  arguments: [{ value: "ID", meaning: "the import's ID, as shown by cpl import and cpl import list" }],
  options: {},
  notes: [
    "Moves the imported snippets to the trash, and restores the text that the import",
    "replaced. Anything changed since then is kept. Each snippet, folder, and tag",
    "costs 1 unit, and so does each request, which undoes up to 100 of them.",
  ],
  run: async ({ words: [importId = ""], isJson, connect }) => {
    if (!isId(importId)) throw new UsageError("ID must be the ID of an import. Run cpl import list", "import undo");
    const { client } = await connect();
    const { deleted, restored, kept } = await undoAll(client, importId).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
      throw new Failure(`there is no import with the ID ${importId}. Run cpl import list`);
    });
    if (isJson) return printJson({ import_id: importId, deleted, restored, kept });
    if (deleted + restored + kept === 0) return print("Nothing is left to undo.\n");
    print(
      `Moved ${pluralize(deleted, "snippet")} to the trash, and restored the text of ${pluralize(restored, "snippet")}.\n`,
    );
    if (kept > 0)
      print(
        `Left ${pluralize(kept, "snippet")} as ${kept === 1 ? "it is" : "they are"}: changed or deleted since the import.\n`,
      );
  },
};

/** Undoes an import, which may have begun before. */
async function undoAll(client: Commonplace, importId: string) {
  const progress = startProgress("Undoing");
  let [deleted, restored, kept, done, remaining] = [0, 0, 0, 0, 1];
  try {
    while (remaining > 0) {
      const { metadata } = await client.postImportUndo({ importId });
      deleted += metadata.deletedCount;
      restored += metadata.restoredCount;
      kept += metadata.keptCount;
      remaining = metadata.remainingCount;
      done += metadata.deletedCount + metadata.restoredCount + metadata.keptCount;
      done += metadata.folderCount + metadata.tagCount;
      progress.update(done, done + remaining);
    }
    return { deleted, restored, kept };
  } finally {
    progress.end();
  }
}
