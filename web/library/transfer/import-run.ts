// Sends a file to be imported, part after part, and undoes an import.
import type { ConsoleResult } from "../../../src/contract/console/operations.ts";
import { callConsole, type DataOf } from "../../call.ts";
import { textLimits } from "../../limits.ts";
import { portionMax } from "../selection/plan.ts";
import { withPatience, withProgress } from "../selection/run.ts";
import { noteOf, readGiven } from "./chosen-files.ts";
import type { Field } from "./columns.ts";
import type { Given } from "./open-transfer.ts";
import { zipFiles } from "./zip.ts";

export type ImportIssue = DataOf<"postLibraryImport">["problems"][number];
/** What the import would do now. */
export type Preview = ConsoleResult<"postLibraryImport">;
export interface ImportTarget {
  readonly teamId: string;
  readonly folderId: string | undefined;
  readonly onDuplicate: "skip" | "replace" | "create";
  readonly allOrNothing: boolean;
}

export interface ImportQuery extends ImportTarget {
  /** Of a table, where somebody chose them. */
  readonly columns: Partial<Record<Field, string>> | undefined;
}

export interface ImportFile {
  readonly name: string;
  /** False for several files, whose name is their number. */
  readonly isNamed: boolean;
  readonly bytes: Blob;
  /** What of the files could not be sent. */
  readonly problems: readonly ImportIssue[];
  /** What nobody means to import. */
  readonly leftOut: readonly ImportIssue[];
}

export interface ImportResult {
  readonly file: ImportFile;
  /** Undefined where nothing was begun. */
  readonly importId: string | undefined;
  readonly target: ImportTarget;
  /** Of those that were created. */
  readonly firstSnippetId: string | undefined;
  readonly created: number;
  readonly replaced: number;
  readonly folders: number;
  readonly tags: number;
  readonly skipped: number;
  readonly problems: readonly ImportIssue[];
  readonly warnings: readonly ImportIssue[];
  /** Also of those that are not listed. */
  readonly problemCount: number;
  readonly warningCount: number;
  /** Snippets, folders, and tags that were not reached. */
  readonly remaining: number;
  /** Why it ended early, unless the person stopped it. */
  readonly error: Error | undefined;
}

/** So few that one can stop soon; of a large import more, because the service gets the whole file, and plans, for each part. */
const [itemsMin, partsWanted] = [200, 20];
export const itemsOfPart = (total: number): number =>
  Math.min(textLimits.importItemsMax, Math.max(itemsMin, Math.ceil(total / partsWanted)));

/** A single file is sent as it is, several or a folder as a zip. @throws Error where there is nothing to send, or too much */
export async function toImportFile(given: readonly Given[]): Promise<ImportFile> {
  const { name, isFolder, files, problems, leftOut } = await readGiven(given);
  const [first] = files;
  // The end of a name has its extension.
  const fileName = [...(name ?? `${files.length} files`)].slice(-textLimits.fileNameLengthMax).join("");
  if (first && files.length === 1 && !isFolder)
    return { name: fileName, isNamed: true, bytes: first.file, problems, leftOut };
  const zipped = first && (await zipFiles(files));
  if (!zipped) throw new Error("There is nothing to import. Hidden and system files are left out.");
  return {
    name: fileName,
    isNamed: name !== undefined,
    bytes: zipped.zip,
    problems: [...problems, ...zipped.unreadable.map((path) => noteOf(path, "unreadable"))],
    leftOut,
  };
}

export const previewImport = (query: ImportQuery, { name, bytes }: ImportFile, workspaceId: string) =>
  callConsole("postLibraryImport", { query: { ...query, fileName: name, dryRun: true }, body: bytes, workspaceId });

/** True where it is over so soon that its progress is not shown. */
export const isQuick = (total: number): boolean => total <= portionMax;

/** @param total snippets, folders, and tags that the preview announced */
export const runImport = (
  query: ImportQuery,
  file: ImportFile,
  workspaceId: string,
  total: number,
): Promise<ImportResult> =>
  withProgress("Importing snippets", total, async (signal, advance) => {
    const { name, bytes } = file;
    let result: ImportResult = {
      ...{ file, target: query, firstSnippetId: undefined },
      ...{ importId: undefined, created: 0, replaced: 0, folders: 0, tags: 0, skipped: 0 },
      ...{ problems: [], warnings: [], problemCount: 0, warningCount: 0, remaining: total, error: undefined },
    };
    const parameters = { ...query, fileName: name, maxItems: itemsOfPart(total) };
    try {
      while (!signal.aborted) {
        const { data, metadata } = await withPatience(
          () =>
            callConsole("postLibraryImport", {
              query: { ...parameters, importId: result.importId },
              body: bytes,
              workspaceId,
            }),
          signal,
        );
        // What cannot be imported is listed each time; what was refused on the way, once.
        const known = new Set(result.problems.map((note) => JSON.stringify(note)));
        const problems = [...result.problems, ...data.problems.filter((note) => !known.has(JSON.stringify(note)))];
        result = {
          ...{ file, target: query, importId: data.importId ?? undefined },
          firstSnippetId: result.firstSnippetId ?? data.createdSnippets[0]?.snippetId,
          created: result.created + metadata.createdCount,
          replaced: result.replaced + metadata.replacedCount,
          folders: result.folders + metadata.folderCount,
          tags: result.tags + metadata.tagCount,
          skipped: metadata.skippedCount,
          problems,
          problemCount: Math.max(problems.length, result.problemCount, metadata.problemCount),
          warnings: data.warnings,
          warningCount: metadata.warningCount,
          remaining: metadata.remainingCount,
          error: undefined,
        };
        advance(Math.max(0, total - result.remaining));
        if (data.isFinished) break;
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
