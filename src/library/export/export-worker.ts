// The worker that reads a team and writes its export to the file that it was given. `ExportFiles` starts it. It ends after one task.
import { writeSync } from "node:fs";
import type { ExportNotes } from "../../contract/export-warnings.ts";
import { limits } from "../../contract/limits.ts";
import { DatabaseUnavailable, type Transaction } from "../../platform/database/database.ts";
import type { DatabaseLocation } from "../../platform/database/location.ts";
import { openForExport } from "../../platform/database/open.ts";
import { jsonLines, workerFile, yieldToService } from "../../platform/worker-process.ts";
import type { FormatId } from "../formats/format-ids.ts";
import { ZipTooLarge } from "../formats/zip-file.ts";
import { writeArchive } from "./archive-file.ts";
import { planExport, readTeam } from "./team.ts";

/** The first line of the input. The second one, once the request is charged, lets the worker write. */
export interface ExportTask {
  readonly database: DatabaseLocation;
  readonly workspaceId: string;
  readonly teamId: string;
  readonly format: FormatId;
  /** How long it may read. */
  readonly milliseconds: number;
}

/** Lines of the output. */
export type ExportLine =
  | (ExportNotes & {
      readonly kind: "head";
      /** Of the file. */
      readonly name: string;
      /** What the export is charged for. */
      readonly texts: number;
      /** The file takes no more. */
      readonly bytesMax: number;
    })
  /** Bytes at the beginning of the file that do not change any more. */
  | { readonly kind: "written"; readonly bytes: number }
  | { readonly kind: "end"; readonly bytes: number }
  | { readonly kind: "refused"; readonly reason: "tooLarge" | "unavailable" };

/** What a zip has besides the texts: names, times, and the syntax of JSON, which all compress well. */
const archiveBytesMore = 16 * 1024 * 1024;

/** The worker itself. */
export async function runExportWorker(): Promise<void> {
  yieldToService();
  const input = jsonLines(Bun.stdin.stream());
  // The service, which is the same version of this program, wrote it.
  const task = (await input.next()).value as ExportTask;
  const database = await openForExport(task.database);
  let hasBegun = false;
  try {
    await database.aside(async (transaction) => {
      // A file that has begun cannot go on from another state.
      if (hasBegun) throw new DatabaseUnavailable("the connection was lost");
      hasBegun = true;
      await write(transaction, task, async () => !(await input.next()).done);
    }, task.milliseconds);
  } catch (error) {
    if (error instanceof ZipTooLarge) send({ kind: "refused", reason: "tooLarge" });
    else if (error instanceof DatabaseUnavailable) send({ kind: "refused", reason: "unavailable" });
    else throw error;
  }
  // Nothing is left to wait for, also where the database does not respond.
  process.exit();
}

/** @param isCharged resolves when it is decided whether the file is wanted */
async function write(
  transaction: Transaction,
  { workspaceId, teamId, format }: ExportTask,
  isCharged: () => Promise<boolean>,
): Promise<void> {
  const isArchive = format === "commonplace";
  const team = { workspaceId, teamId, withVersions: isArchive };
  const bytesMax = isArchive ? limits.exportBytesMax : limits.exportFormatBytesMax;
  const plan = await planExport(transaction, team, bytesMax);
  const { texts, bytes } = plan;
  if (bytes > bytesMax) return send({ kind: "refused", reason: "tooLarge" });
  if (isArchive) {
    send({
      kind: "head",
      name: "commonplace.zip",
      texts,
      bytesMax: bytes + archiveBytesMore,
      warnings: [],
      codeCount: 0,
    });
    if (!(await isCharged())) return;
    const onWritten = (written: number) => send({ kind: "written", bytes: written });
    send({ kind: "end", bytes: await writeArchive(transaction, team, plan, workerFile, { onWritten }) });
    return;
  }
  const { writeOneFile } = await import("./one-file.ts");
  const file = writeOneFile(format, await readTeam(transaction, team, plan));
  for (let start = 0; start < file.bytes.length; ) start += writeSync(workerFile, file.bytes, start);
  const { name, bytes: written, warnings, codeCount } = file;
  send({ kind: "head", name, texts, bytesMax: written.length, warnings, codeCount });
  if (await isCharged()) send({ kind: "end", bytes: file.bytes.length });
}

/** Writes at once, so that a worker whose service has ended fails here. */
const send = (line: ExportLine): void => void writeSync(1, `${JSON.stringify(line)}\n`);
