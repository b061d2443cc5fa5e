// ./commonplace export: everything in a team, as an archive or for another tool.
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { consoleErrors } from "../../contract/console/errors.ts";
import { exitStatus } from "../../contract/exit-status.ts";
import { writeArchive } from "../../library/export/archive-file.ts";
import { planExport, readTeam } from "../../library/export/team.ts";
import { type FormatId, writableFormatIds } from "../../library/formats/format-ids.ts";
import { shortened } from "../../library/formats/messages.ts";
import type { OutputFile, Warning, WrittenCode } from "../../library/formats/tree.ts";
import { ZipTooLarge } from "../../library/formats/zip-file.ts";
import { findTeamPlace } from "../../library/import/imports.store.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { openForExport } from "../../platform/database/open.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { partialPathFor, publish, removeAbandonedPartials, removePartial } from "../backup/partial.ts";
import { formatNumber } from "../format.ts";
import type { Command, CommandContext, ParsedOptions } from "./command.ts";
import { inPortions, inTransaction, readDatabase } from "./database-access.ts";
import { listInLines } from "./format-notes.ts";
import { readId } from "./options.ts";
import { printBeside, printResult } from "./output.ts";
import { startProgressBar } from "./progress.ts";
import { recordCommand } from "./record.ts";

export const exportCommand: Command = {
  name: "export",
  summary: "Export the snippets of a team",
  options: {
    team: { value: "ID", meaning: "The team", isRequired: true },
    to: { value: "FILE", meaning: "A new file, or a new folder for a format with several files", isRequired: true },
    format: { value: "FORMAT", meaning: "The format (default: commonplace, which is lossless)" },
    "allow-code": { meaning: "Write the files even if the other tool runs code in them" },
  },
  notes: [
    ...listInLines("Formats:", writableFormatIds),
    "If FILE ends in .zip, all files are written to one zip file.",
    "If the other tool would run code in a file, the command names the snippets, and",
    "writes nothing without --allow-code.",
    "Existing files are never overwritten, and only you can read the new ones.",
  ],
  run: async (context) => {
    const { options } = context;
    const format = readFormat(options);
    const teamId = readId(options, "team");
    const to = options.required("to");
    const exported =
      format === "commonplace"
        ? await exportArchive(context, teamId, to)
        : await exportFormat(context, teamId, to, format);
    const { place, snippets, files, warnings, code } = exported;
    await recordExport(context, place, teamId, format, snippets);
    const messages = warnings.map(({ message }) => message);
    printResult(context, { format, snippets, files, warnings: messages, code: code.map(lineOfCode) }, [
      files.length === 0
        ? `The team has no snippets, so ${to} was not created.`
        : `Exported ${formatNumber(snippets)} ${snippets === 1 ? "snippet" : "snippets"} to ${to}.`,
      ...messages,
    ]);
  },
};

interface Exported {
  readonly place: TeamPlace;
  readonly snippets: number;
  /** The paths. */
  readonly files: readonly string[];
  readonly warnings: readonly Warning[];
  readonly code: readonly WrittenCode[];
}

type TeamPlace = NonNullable<Awaited<ReturnType<typeof findTeamPlace>>>;

/** With a part of the team in memory at a time. The file has its name once it is complete. */
async function exportArchive(context: CommandContext, teamId: string, to: string): Promise<Exported> {
  const path = isDirectoryName(to) ? join(to, "commonplace.zip") : to;
  if (existsSync(path)) throw new OperatorError(`${path} already exists and was not overwritten`);
  const partial = partialPathFor(path);
  const { file, directory } = openPartial(path, partial);
  const end = () => {
    closeSync(file);
    removePartial(partial);
  };
  const onSignal = () => {
    removePartial(partial);
    process.exit(exitStatus.canceled);
  };
  for (const signal of endingSignals) process.once(signal, onSignal);
  try {
    const written = await readForExport(context, async (transaction) => {
      const place = await requirePlace(transaction, teamId);
      const team = { workspaceId: place.workspace_id, teamId, withVersions: true };
      const plan = await planExport(transaction, team);
      const bar = startProgressBar("Exporting", plan.snippets, "snippets");
      try {
        ftruncateSync(file, 0);
        const onWritten = (_: number, snippets: number) => bar.update(snippets);
        await writeArchive(transaction, team, plan, file, { onWritten });
        return { place, snippets: plan.snippets };
      } finally {
        bar.end();
      }
    });
    fsyncSync(file);
    publish(partial, path);
    return { ...written, files: [path], warnings: [], code: [] };
  } catch (error) {
    if (error instanceof ZipTooLarge)
      throw new OperatorError("the team is too large for an archive. Use ./commonplace team dump");
    if (error instanceof Error && "syscall" in error)
      throw new OperatorError(`the export cannot be written to ${path}: ${error.message}`);
    throw error;
  } finally {
    for (const signal of endingSignals) process.off(signal, onSignal);
    end();
    removeAbandonedPartials(directory);
  }
}

/** On a connection of its own, which is opened for that, once the database is known to be one of this version. */
const readForExport = <Result>(context: CommandContext, work: (transaction: Transaction) => Promise<Result>) =>
  inPortions(context, async () => {
    const database = await openForExport(context.config.database);
    try {
      return await database.aside(work, 0);
    } finally {
      await database.close();
    }
  });

const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** @throws OperatorError */
function openPartial(path: string, partial: string) {
  const directory = dirname(path);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return { directory, file: openSync(partial, "wx", ownerOnly.mode) };
  } catch (error) {
    throw new OperatorError(
      `the export cannot be written to ${path}: ${error instanceof Error ? error.message : error}`,
    );
  }
}

async function exportFormat(context: CommandContext, teamId: string, to: string, format: FormatId): Promise<Exported> {
  const { tree, place } = await readDatabase(context, async (transaction) => {
    const place = await requirePlace(transaction, teamId);
    const team = { workspaceId: place.workspace_id, teamId, withVersions: false };
    return { place, tree: await readTeam(transaction, team) };
  });
  const [{ writeExport }, { writeZip }] = [
    await import("../../library/export/one-file.ts"),
    await import("../../library/formats/zip.ts"),
  ];
  const { files, warnings, code } = writeExport(format, tree);
  requireAllowed(code, context.options);
  const paths = writeOutput(files, to, writeZip);
  return { place, snippets: tree.snippets.length, files: paths, warnings, code };
}

const lineOfCode = ({ title, place, example }: WrittenCode): string =>
  `${place.file}:${place.line}: "${title}" runs ${shortened(example)}`;

/** Names all code before anything is written. @throws OperatorError */
function requireAllowed(code: readonly WrittenCode[], options: ParsedOptions): void {
  if (code.length === 0) return;
  printBeside(code.map(lineOfCode));
  if (!options.isSet("allow-code"))
    throw new OperatorError(
      "nothing was written, because the other tool would run this code. To write it, add --allow-code",
    );
}

/** @throws Refusal 404 */
async function requirePlace(transaction: Transaction, teamId: string): Promise<TeamPlace> {
  const place = await findTeamPlace(transaction, teamId);
  if (!place) throw consoleErrors.notFound("team", teamId);
  return place;
}

function readFormat(options: ParsedOptions): FormatId {
  const text = options.text("format") ?? "commonplace";
  return (
    writableFormatIds.find((id) => id === text) ??
    options.refuse(`--format must be one of: ${writableFormatIds.join(", ")}`)
  );
}

const ownerOnly = { flag: "wx", mode: 0o600 } as const;

/** Writes one file, one zip, or a folder. @returns the paths */
function writeOutput(files: readonly OutputFile[], to: string, zip: (files: readonly OutputFile[]) => Uint8Array) {
  const [only] = files;
  try {
    if (/\.zip$/i.test(to)) return [write(to, zip(files))];
    if (only && files.length === 1 && !isDirectoryName(to)) return [write(to, only.bytes)];
    if (existsSync(to) && readdirSync(to).length > 0) throw new OperatorError(`${to} is not empty`);
    return files.map(({ path, bytes }) => write(join(to, path), bytes));
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`the export cannot be written to ${to}: ${error instanceof Error ? error.message : error}`);
  }
}

const isDirectoryName = (path: string): boolean => /[\\/]$/.test(path) || existsSync(join(path, "."));

function write(path: string, bytes: Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, bytes, ownerOnly);
  return path;
}

const recordExport = (
  context: CommandContext,
  place: TeamPlace,
  teamId: string,
  format: FormatId,
  snippets: number,
): Promise<void> =>
  inTransaction(context, async (transaction) =>
    recordCommand(transaction, place.workspace_id, {
      action: "library.export",
      target: { kind: "team", id: teamId, name: place.name },
      after: { snippets, format },
    }),
  );
