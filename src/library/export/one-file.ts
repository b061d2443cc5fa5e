// An export as one file to download.
import type { FormatId } from "../formats/format-ids.ts";
import { writeFiles } from "../formats/formats.ts";
import type { Tree, Warning } from "../formats/tree.ts";
import { writeZip } from "../formats/zip.ts";

/** What a written file is, without its bytes. */
export interface WrittenHead {
  readonly name: string;
  /** What the format cannot say. */
  readonly warnings: readonly Warning[];
}

/** The file of a format; a zip where there are several, or none. */
export function writeOneFile(format: FormatId, tree: Tree): WrittenHead & { readonly bytes: Uint8Array } {
  const { files, warnings } = writeFiles(tree, format);
  const [only] = files;
  return only && files.length === 1 && !only.path.includes("/")
    ? { name: only.path, warnings, bytes: only.bytes }
    : { name: `${format}.zip`, warnings, bytes: writeZip(files) };
}
