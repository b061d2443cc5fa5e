// The file of an export: of a small team at once, of any other by a process.
import { errors } from "../../contract/errors.ts";
import type { Owner } from "../../platform/fair-queue.ts";
import type { TeamToExport } from "../exports.ts";
import type { ExportFile, ExportFiles } from "./export-files.ts";
import type { ExportTask } from "./export-worker.ts";

export type MadeFile =
  | ExportFile
  | {
      readonly name: string;
      readonly bytes: Uint8Array<ArrayBuffer>;
      /** What the exporter should know. */
      readonly warnings: readonly string[];
    };

const retryAfterSeconds = 1;

/** @throws Refusal as `ExportFiles.begin` does */
export async function makeExport(
  files: ExportFiles | undefined,
  owner: Owner,
  { tree }: TeamToExport,
  task: Pick<ExportTask, "workspaceId" | "teamId" | "format">,
): Promise<MadeFile> {
  if (!tree) {
    if (!files) throw errors.busy(retryAfterSeconds);
    return files.begin(owner, task);
  }
  // The formats are loaded when they are needed.
  const { name, bytes, warnings } = (await import("./one-file.ts")).writeOneFile(task.format, tree);
  return { name, bytes: Buffer.from(bytes), warnings };
}
