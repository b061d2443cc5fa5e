// The file of an export: the thread of formats writes that of a small team, a process that of any other.
import { errors } from "../../contract/errors.ts";
import type { ExportNotes } from "../../contract/export-warnings.ts";
import type { Owner } from "../../platform/fair-queue.ts";
import type { TeamToExport } from "../exports.ts";
import type { ExportFile, ExportFiles } from "./export-files.ts";
import type { ExportTask } from "./export-worker.ts";

export type MadeFile =
  | ExportFile
  | (ExportNotes & {
      readonly name: string;
      readonly bytes: Uint8Array<ArrayBuffer>;
    });

const retryAfterSeconds = 1;

/** @throws Refusal as `ExportFiles.begin` does */
export async function makeExport(
  files: ExportFiles | undefined,
  owner: Owner,
  { tree }: TeamToExport,
  task: Pick<ExportTask, "workspaceId" | "teamId" | "format">,
): Promise<MadeFile> {
  if (!files) throw errors.busy(retryAfterSeconds);
  const small = tree && (await files.writeSmall(owner, task.format, tree));
  return small ? { ...small, bytes: Buffer.from(small.bytes) } : files.begin(owner, task);
}
