// Sends a file to be imported, part after part, and undoes an import.
import { callConsole, type DataOf } from "../../call.ts";
import { withPatience, withProgress } from "../selection/run.ts";

export type ImportNote = DataOf<"postLibraryImport">["problems"][number];
export interface ImportQuery {
  readonly teamId: string;
  readonly folderId: string | undefined;
  readonly onDuplicate: "skip" | "replace" | "keep";
}

export interface ImportFile {
  readonly name: string;
  readonly bytes: Blob;
}

export interface ImportResult {
  /** Undefined where nothing was begun. */
  readonly importId: string | undefined;
  readonly created: number;
  readonly replaced: number;
  readonly folders: number;
  readonly tags: number;
  readonly skipped: number;
  readonly problems: readonly ImportNote[];
  readonly warnings: readonly ImportNote[];
  /** Snippets, folders, and tags that were not reached. */
  readonly remaining: number;
  /** Why it ended early, unless the person stopped it. */
  readonly error: Error | undefined;
}

/** So that one can stop a large import soon. */
const itemsAtOnce = 200;

/** One file is sent as it is, several as a zip. @throws where one cannot be read */
export async function toImportFile(files: readonly File[]): Promise<ImportFile | undefined> {
  const [first] = files;
  if (!first || files.length === 1) return first && { name: first.name, bytes: first };
  const { zipSync } = await import("fflate");
  const entries = await Promise.all(
    files.map(async (file) => [file.name, new Uint8Array(await file.arrayBuffer())] as const),
  );
  // The service opens it at once: making it small would take longer.
  const zip = zipSync(Object.fromEntries(entries), { level: 0 });
  return { name: "files.zip", bytes: new Blob([zip]) };
}

export const previewImport = (query: ImportQuery, { name, bytes }: ImportFile, workspaceId: string) =>
  callConsole("postLibraryImport", { query: { ...query, fileName: name, dryRun: true }, body: bytes, workspaceId });

/** @param total snippets, folders, and tags that the preview announced */
export const runImport = (
  query: ImportQuery,
  { name, bytes }: ImportFile,
  workspaceId: string,
  total: number,
): Promise<ImportResult> =>
  withProgress("Importing snippets", total, async (signal, advance) => {
    let result: ImportResult = {
      ...{ importId: undefined, created: 0, replaced: 0, folders: 0, tags: 0, skipped: 0 },
      ...{ problems: [], warnings: [], remaining: total, error: undefined },
    };
    const part = { query: { ...query, fileName: name, maxItems: itemsAtOnce }, body: bytes, workspaceId };
    try {
      while (!signal.aborted) {
        const { data, metadata } = await withPatience(() => callConsole("postLibraryImport", part), signal);
        // What cannot be imported is listed each time; what was refused on the way, once.
        const known = new Set(result.problems.map((note) => JSON.stringify(note)));
        result = {
          importId: data.import_id ?? undefined,
          created: result.created + metadata.createdCount,
          replaced: result.replaced + metadata.replacedCount,
          folders: result.folders + metadata.folderCount,
          tags: result.tags + metadata.tagCount,
          skipped: metadata.skippedCount,
          problems: [...result.problems, ...data.problems.filter((note) => !known.has(JSON.stringify(note)))],
          warnings: data.warnings,
          remaining: metadata.remainingCount,
          error: undefined,
        };
        advance(Math.max(0, total - result.remaining));
        if (data.is_finished) break;
      }
    } catch (error) {
      return { ...result, error: error instanceof Error ? error : new Error("Something went wrong. Try again.") };
    }
    return result;
  });

export const undoImport = (importId: string, workspaceId: string) =>
  withProgress("Undoing the import", undefined, async (signal, advance) => {
    const sum = { deleted: 0, restored: 0, kept: 0 };
    for (let isMore = true; isMore && !signal.aborted; ) {
      const call = { query: { importId }, workspaceId };
      const { data } = await withPatience(() => callConsole("postLibraryImportUndo", call), signal);
      sum.deleted += data.deletedCount;
      sum.restored += data.restoredCount;
      sum.kept += data.keptCount;
      isMore = data.isMore;
      advance(sum.deleted + sum.restored + sum.kept);
    }
    return sum;
  });

/** As a file that one can read and search. */
export const notesAsText = (notes: readonly ImportNote[]): string =>
  notes.map((note) => `${placeOf(note)}${note.message}\n`).join("");

export const placeOf = ({ file, line }: ImportNote): string =>
  file === null ? "" : `${file}${line === null ? "" : `:${line}`}: `;
