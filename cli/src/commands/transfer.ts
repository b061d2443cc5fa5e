// `cpl import` and `cpl export`: files of other tools into a team, and a team into a file.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { InvalidRequestError, type PostImportAnswer, type PostImportArguments } from "../../../sdk/src/index.ts";
import {
  columns,
  formatIds,
  isFormatId,
  readColumns,
  writableFormatIds,
} from "../../../src/library/formats/format-ids.ts";
import type { Command } from "../command.ts";
import { exitStatus, Failure, UsageError } from "../failures.ts";
import { findGroups, requireTeam } from "../references.ts";
import { notice, pluralize, print, printJson } from "../terminal/print.ts";

const choices = ["skip", "replace", "keep"] as const;
const notesShown = 20;
const team = { value: "TEAM", meaning: "the team, by name or ID; not needed if your key has access to only one" };

/** As much as fits on a line of the help. */
const inLines = (words: readonly string[]): string[] => [
  `Formats: ${words.slice(0, 7).join(", ")},`,
  `${words.slice(7, 14).join(", ")}${words.length > 14 ? "," : "."}`,
  ...(words.length > 14 ? [`${words.slice(14).join(", ")}.`] : []),
];

export const importFile: Command = {
  name: "import",
  summary: "Import a file from another tool, or an archive, into a team",
  arguments: [{ value: "FILE", meaning: "the file; to import a folder, zip it first" }],
  options: {
    team,
    folder: { value: "FOLDER", meaning: "import everything into this folder, by path or ID" },
    format: { value: "FORMAT", meaning: "the format, if it is not recognized" },
    columns: {
      value: "FIELD=COLUMN",
      meaning: "the column of a table for a field, such as title=Name; can be repeated",
      isRepeatable: true,
    },
    "on-duplicate": {
      value: "CHOICE",
      meaning: "skip (default), replace (add a new version), or keep (import it too)",
    },
    "all-or-nothing": { meaning: "import nothing if anything cannot be imported" },
    "dry-run": { meaning: "only show what would be imported" },
  },
  notes: [
    ...inLines(formatIds),
    "A snippet is a duplicate if the team already has a snippet with the same text,",
    "or with the same shortcut and content type. An interrupted import continues when",
    "you run the same command again. Each snippet, folder, and tag costs 1 unit, and",
    "so does each request, which imports up to 500 of them.",
  ],
  run: async ({ words: [path = ""], options, isJson, connect }) => {
    const format = options.text("format");
    if (format !== undefined && !isFormatId(format))
      throw new UsageError(`--format must be one of: ${formatIds.join(", ")}`, "import");
    const onDuplicate = choices.find((choice) => choice === (options.text("on-duplicate") ?? "skip"));
    if (!onDuplicate) throw new UsageError("--on-duplicate must be skip, replace, or keep", "import");
    const chosen = options.isSet("columns") ? readColumns(options.texts("columns")) : undefined;
    if (options.isSet("columns") && !chosen)
      throw new UsageError(`--columns must be FIELD=COLUMN, each field once. Fields: ${columns.join(", ")}`, "import");
    if (!existsSync(path)) throw new Failure(`${path} does not exist`);
    const file = new Uint8Array(readFileSync(path));
    const { client } = await connect();
    const teamId = await requireTeam(client, options.text("team"));
    const { folderId } = await findGroups(client, { teamId, folder: options.text("folder"), tags: [] });
    const request: PostImportArguments = {
      ...{ teamId, format, onDuplicate, file, fileName: basename(path), folderId: folderId ?? undefined },
      ...{ columns: chosen, allOrNothing: options.isSet("all-or-nothing"), dryRun: options.isSet("dry-run") },
    };
    const answers: PostImportAnswer[] = [];
    do {
      const answer = await client.postImport(request).catch((error: unknown) => {
        // The message has the first one.
        if (error instanceof InvalidRequestError && error.problems.length > 1)
          showNotes("Cannot be imported", error.problems);
        throw error;
      });
      answers.push(answer);
      const { remainingCount } = answer.metadata;
      if (!request.dryRun && remainingCount > 0) notice(`${pluralize(remainingCount, "item")} left ...`);
    } while (!request.dryRun && answers.at(-1)?.data.is_finished === false);
    report(answers, request.dryRun === true, isJson);
  },
};

function report(answers: readonly PostImportAnswer[], isDry: boolean, isJson: boolean): void {
  const sum = (name: "createdCount" | "replacedCount" | "folderCount" | "tagCount") =>
    answers.reduce((total, { metadata }) => total + metadata[name], 0);
  const last = answers.at(-1);
  if (!last) return;
  // What cannot be imported is in each response; what was refused on the way, in one.
  const problems = [
    ...new Map(answers.flatMap(({ data }) => data.problems).map((note) => [lineOf(note), note])).values(),
  ];
  const { warnings, format, import_id } = last.data;
  const counts = {
    ...{
      created: sum("createdCount"),
      replaced: sum("replacedCount"),
      skipped: answers[0]?.metadata.skippedCount ?? 0,
    },
    ...{ folders: sum("folderCount"), tags: sum("tagCount") },
  };
  if (isJson) printJson({ import_id, format, ...counts, problems, warnings });
  else {
    const [imported, added, skipped] = isDry
      ? (["Would import", "Would add", "Would skip"] as const)
      : (["Imported", "Added", "Skipped"] as const);
    print(
      `${imported} ${pluralize(counts.created, "snippet")}, ${pluralize(counts.folders, "folder")}, and ${pluralize(counts.tags, "tag")}.\n`,
    );
    if (counts.replaced > 0) print(`${added} a new version to ${pluralize(counts.replaced, "snippet")}.\n`);
    if (counts.skipped > 0) print(`${skipped} ${pluralize(counts.skipped, "duplicate")}.\n`);
    showNotes("Not imported", problems);
    showNotes("Changed or left out", warnings);
  }
  if (problems.length > 0) process.exitCode = exitStatus.failure;
}

type Note = PostImportAnswer["data"]["problems"][number];

const lineOf = ({ file, line, message }: Note): string =>
  `${file === null ? "" : `${file}${line === null ? "" : `:${line}`}: `}${message}`;

function showNotes(heading: string, notes: readonly Note[]): void {
  if (notes.length === 0) return;
  notice(`${heading}:`);
  for (const note of notes.slice(0, notesShown)) notice(`  ${lineOf(note)}`);
  if (notes.length > notesShown) notice(`  and ${notes.length - notesShown} more. --json lists them.`);
}

export const exportTeam: Command = {
  name: "export",
  summary: "Export a team's snippets as a file",
  arguments: [{ value: "FILE", meaning: "a new file, or - for standard output" }],
  options: {
    team,
    format: { value: "FORMAT", meaning: "the format; commonplace, an archive with all versions, by default" },
  },
  notes: [...inLines(writableFormatIds), "Costs 1 unit, and 1 more for each text in the file."],
  run: async ({ words: [path = ""], options, isJson, connect }) => {
    const wanted = options.text("format") ?? "commonplace";
    const format = writableFormatIds.find((id) => id === wanted);
    if (!format) throw new UsageError(`--format must be one of: ${writableFormatIds.join(", ")}`, "export");
    if (path !== "-" && existsSync(path)) throw new Failure(`${path} already exists`);
    const { client } = await connect();
    const teamId = await requireTeam(client, options.text("team"));
    const { data, usage } = await client.getExport({ teamId, format });
    if (path === "-") return void process.stdout.write(data.bytes);
    writeFileSync(path, data.bytes, { flag: "wx", mode: 0o600 });
    if (isJson) printJson({ file: path, format, bytes: data.bytes.length, units: usage.usageDeducted });
    else notice(`Exported to ${path}.`);
  },
};
