// ./commonplace export: everything in a team, as an archive or for another tool.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { consoleErrors } from "../../contract/console/errors.ts";
import { readTeam } from "../../library/export/team.ts";
import { type FormatId, writableFormatIds } from "../../library/formats/format-ids.ts";
import { readLimits } from "../../library/formats/read-limits.ts";
import type { OutputFile, Tree } from "../../library/formats/tree.ts";
import { findTeamPlace } from "../../library/import/imports.store.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { formatNumber } from "../format.ts";
import type { Command, CommandContext, ParsedOptions } from "./command.ts";
import { inTransaction, readDatabase } from "./database-access.ts";
import { listInLines } from "./format-notes.ts";
import { readId } from "./options.ts";
import { printResult } from "./output.ts";
import { startProgressBar } from "./progress.ts";
import { recordCommand } from "./record.ts";

export const exportCommand: Command = {
  name: "export",
  summary: "Export the snippets of a team",
  options: {
    team: { value: "ID", meaning: "The team", isRequired: true },
    to: { value: "FILE", meaning: "A new file, or a new folder for a format with several files", isRequired: true },
    format: { value: "FORMAT", meaning: "The format (default: commonplace, which is lossless)" },
  },
  notes: [
    ...listInLines("Formats:", writableFormatIds),
    "If FILE ends in .zip, all files are written to one zip file.",
    "Existing files are never overwritten, and only you can read the new ones.",
  ],
  run: async (context) => {
    const { options } = context;
    const format = readFormat(options);
    const teamId = readId(options, "team");
    const to = options.required("to");
    const { tree, place } = await readDatabase(context, async (transaction) => {
      const place = await findTeamPlace(transaction, teamId);
      if (!place) throw consoleErrors.notFound("team", teamId);
      const bar = startProgressBar("Reading", 0, "snippets");
      try {
        return { place, tree: await readTeam(transaction, place.workspace_id, teamId, { onProgress: bar.update }) };
      } finally {
        bar.end();
      }
    });
    const [{ writeFiles }, { writeZip }] = [
      await import("../../library/formats/formats.ts"),
      await import("../../library/formats/zip.ts"),
    ];
    const { files, warnings } = writeFiles(tree, format);
    const written = writeOutput(files, to, format === "commonplace" ? undefined : writeZip);
    await recordExport(context, place, teamId, format, tree);
    const messages = [...warnings.map(({ message }) => message), ...tooLarge(files)];
    printResult(context, { format, snippets: tree.snippets.length, files: written, warnings: messages }, [
      `Exported ${formatNumber(tree.snippets.length)} ${tree.snippets.length === 1 ? "snippet" : "snippets"} to ${to}.`,
      ...messages,
    ]);
  },
};

function readFormat(options: ParsedOptions): FormatId {
  const text = options.text("format") ?? "commonplace";
  return (
    writableFormatIds.find((id) => id === text) ??
    options.refuse(`--format must be one of: ${writableFormatIds.join(", ")}`)
  );
}

const ownerOnly = { flag: "wx", mode: 0o600 } as const;

/** Writes one file, one zip, or a folder. @param zip undefined for what is a zip already. @returns the paths */
function writeOutput(
  files: readonly OutputFile[],
  to: string,
  zip: ((files: readonly OutputFile[]) => Uint8Array) | undefined,
) {
  const [only] = files;
  const zipped = zip && /\.zip$/i.test(to) ? zip : undefined;
  try {
    if (zipped) return [write(to, zipped(files))];
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

/** What an import would not read again at once. */
const tooLarge = (files: readonly OutputFile[]): string[] =>
  files.reduce((sum, { bytes }) => sum + bytes.length, 0) > readLimits.sourceBytesMax
    ? ["The export is too large to import in one go."]
    : [];

const recordExport = (
  context: CommandContext,
  place: { readonly workspace_id: string; readonly name: string },
  teamId: string,
  format: FormatId,
  { snippets }: Tree,
): Promise<void> =>
  inTransaction(context, async (transaction) =>
    recordCommand(transaction, place.workspace_id, {
      action: "library.export",
      target: { kind: "team", id: teamId, name: place.name },
      after: { snippets: snippets.length, format },
    }),
  );
