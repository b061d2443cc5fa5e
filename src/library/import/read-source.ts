// A file that somebody sent, as an import takes it.
import { createHash } from "node:crypto";
import { errors, type Refusal } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import type { Input } from "../../contract/operations.ts";
import type { Owner } from "../../platform/fair-queue.ts";
import { ReadError } from "../formats/read-error.ts";
import type { FormatProcesses } from "./format-processes.ts";
import type { ImportSource } from "./run.ts";

const nameDefault = "import";

/** @returns the refusal of a file that cannot be imported, which says why. @throws Refusal 503 where too many are being read */
export async function readSource(
  formats: FormatProcesses,
  owner: Owner,
  bytes: Uint8Array,
  { teamId, folderId, format, fileName = nameDefault, columns }: Input<"postImport">["query"],
): Promise<ImportSource | Refusal> {
  if (bytes.length === 0) return errors.fileMissing();
  try {
    const read = await formats.read(owner, { path: fileName, bytes }, { format, columns });
    const { length } = read.tree.snippets;
    if (length > limits.importSnippetsMax) return errors.tooManySnippets(length, limits.importSnippetsMax);
    const how = JSON.stringify([teamId, folderId, format, fileName, ...(columns ? [columns] : [])]);
    return { ...read, name: fileName, hash: createHash("sha256").update(`${how}\n`).update(bytes).digest("hex") };
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    return errors.fileUnreadable(messageOf(error));
  }
}

/** `vscode.json, line 3: Not valid JSON.` */
const messageOf = ({ message, place }: ReadError): string =>
  [place && (place.line === undefined ? place.file : `${place.file}, line ${place.line}`), message]
    .filter(Boolean)
    .join(": ");
