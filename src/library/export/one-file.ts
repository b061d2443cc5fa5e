// An export as one file to download.
import type { ExportNotes } from "../../contract/export-warnings.ts";
import type { FormatId } from "../formats/format-ids.ts";
import { writeFiles } from "../formats/formats.ts";
import { unusedGroups } from "../formats/paths-of-tree.ts";
import { readLimits } from "../formats/read-limits.ts";
import type { Tree, Warning, Writing } from "../formats/tree.ts";
import { writeZip } from "../formats/zip.ts";

export interface OneFile extends ExportNotes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The files of a format, with everything that is left out of them. The archive leaves out nothing. */
export function writeExport(format: FormatId, tree: Tree): Writing {
  const writing = writeFiles(tree, format);
  if (format === "commonplace") return writing;
  const { files, warnings } = writing;
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  return { ...writing, warnings: [...warnings, ...unusedGroups(tree), ...tooLarge(bytes)] };
}

/** What an import would not read again at once. Archives can be larger. */
const tooLarge = (bytes: number): Warning[] =>
  bytes > readLimits.sourceBytesMax
    ? [{ message: "The export is too large to import in one go. Archives do not have this limit." }]
    : [];

/** The file of a format; a zip where there are several, or none. */
export function writeOneFile(format: FormatId, tree: Tree): OneFile {
  const writing = writeExport(format, tree);
  const { files } = writing;
  const notes = { warnings: writing.warnings.map(({ message }) => message), codeCount: writing.code.length };
  const [only] = files;
  return only && files.length === 1 && !only.path.includes("/")
    ? { name: only.path, ...notes, bytes: only.bytes }
    : { name: `${format}.zip`, ...notes, bytes: writeZip(files) };
}
