// All formats, and how one is recognized: by what is in the files, never by their names alone.
import { alfred } from "./alfred.ts";
import { archive } from "./archive.ts";
import { warnOfCodes } from "./codes.ts";
import { espanso } from "./espanso.ts";
import type { Format, ReadOptions } from "./format.ts";
import { type FormatId, formatIds } from "./format-ids.ts";
import type { InputFile } from "./input-file.ts";
import { jetbrains } from "./jetbrains.ts";
import { byteStash, gists, raycast, snipo, textBlaze } from "./json-tools.ts";
import { looksLike, warnOfUnrecognized } from "./looks.ts";
import { markdown } from "./markdown.ts";
import { massCode } from "./masscode.ts";
import { counted, joined, shortened } from "./messages.ts";
import { type GivenFile, openFiles } from "./open-files.ts";
import { plainText } from "./plain-text.ts";
import { ReadError } from "./read-error.ts";
import { sampleTable, type TableSample } from "./table-sample.ts";
import { csv, textExpander } from "./tables.ts";
import type { Reading, Tree, Warning, Writing, WrittenCode } from "./tree.ts";
import { TreeBuilder } from "./tree-builder.ts";
import { snipmate, ultisnips } from "./vim-snippets.ts";
import { vscode } from "./vscode.ts";
import { declarationError } from "./xml.ts";

/** What each format does. */
export const formats = {
  commonplace: archive,
  alfred,
  raycast,
  textblaze: textBlaze,
  bytestash: byteStash,
  snipo,
  gists,
  masscode: massCode,
  vscode,
  espanso,
  jetbrains,
  ultisnips,
  snipmate,
  markdown,
  csv,
  textexpander: textExpander,
  text: plainText,
} as const satisfies Record<FormatId, Format>;

export interface ReadRequest extends ReadOptions {
  /** Undefined: it is recognized. */
  readonly format?: FormatId | undefined;
}

/** What was read, and as which format. */
export interface ReadResult extends Reading {
  readonly format: FormatId;
  /** Where it is a table whose columns nobody has chosen yet. */
  readonly table?: TableSample | undefined;
}

/** Reads files that someone gave. @throws ReadError where nothing of them can be imported */
export function readFiles(given: readonly GivenFile[], { format: chosen, ...options }: ReadRequest = {}): ReadResult {
  const { files, problems, warnings } = openFiles(given);
  const [only] = given;
  const archiveName = only && given.length === 1 ? nameOf(only.path) : undefined;
  if (files.length === 0) throw failureOf([...problems, ...warnings], "There is no file to import.");
  if (options.columns && chosen !== undefined && chosen !== "csv")
    throw new ReadError("You can choose columns only for the CSV format.");
  const named = chosen ?? (options.columns ? "csv" : undefined);
  const id = named ?? recognize(files);
  const format: Format = formats[id];
  // Plain text is what is left, unless somebody chose it.
  const isFallback = named === undefined && id === "text";
  const isRead = (file: InputFile) => isClaimed(format, file) || format.alsoReads?.(file) === true;
  const claimed =
    named !== undefined && files.length === 1
      ? files
      : files.filter((file) => isRead(file) && !(isFallback && xmlError(file)));
  const into = new TreeBuilder();
  const errors = readGuarded(format, claimed, into, { archiveName, ...options }, files);
  const reading = into.finish();
  if (reading.tree.snippets.length === 0)
    throw failureOf([...errors, ...broken(files)], `No snippets were found (format: ${format.name}).`);
  const leftOut = id === "commonplace" ? [] : files.filter((file) => !claimed.includes(file));
  const others = leftOut
    .filter((file) => broken([file]).length === 0)
    .map((file) => ({
      place: file.at(),
      message: `The file is left out, because it is in a different format (expected: ${format.name}).`,
    }));
  return {
    ...reading,
    format: id,
    table: claimed[0] && !options.columns ? sampleTable(claimed[0], id) : undefined,
    problems: [...problems, ...broken(leftOut), ...errors, ...reading.problems],
    warnings: [
      ...warnings,
      ...others,
      ...(isFallback ? warnOfUnrecognized(claimed) : []),
      ...warnOfCodes(id, format.codes ?? [], reading),
      ...reading.warnings,
    ],
  };
}

const failureOf = ([first]: readonly Warning[], otherwise: string): ReadError =>
  new ReadError(first?.message ?? otherwise, first?.place);

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1).replace(/(?<=.)\.[^.]*$/, "");

/** A parser that fails on a hostile file must not decide that it is of its format. */
function isClaimed(format: Format, file: InputFile): boolean {
  try {
    return format.claims(file);
  } catch {
    return false;
  }
}

/** What many texts look like by chance: only most of the files make it one of these. */
const likely: ReadonlySet<FormatId> = new Set(["markdown", "csv", "textexpander"]);

/** The format of most files; of several, the more specific one. Plain text is what is left. */
function recognize(files: readonly InputFile[]): FormatId {
  let [best, count]: [FormatId, number] = ["text", 0];
  for (const id of formatIds) {
    if (id === "text") continue;
    const claimed = files.filter((file) => isClaimed(formats[id], file)).length;
    // One manifest makes an archive.
    if (id === "commonplace" && claimed > 0) return id;
    if (claimed > count && (!likely.has(id) || 2 * claimed >= files.length)) [best, count] = [id, claimed];
  }
  const [error] = count === 0 ? broken(files) : [];
  if (error && files.length === 1) throw new ReadError(error.message, error.place);
  return best;
}

/** Files that look like JSON and are not, and XML that no format reads. */
const broken = (files: readonly InputFile[]): Warning[] =>
  files.flatMap((file) => {
    const error = looksLike.JSON(file) && file.jsonError ? file.jsonError : xmlError(file);
    return error instanceof ReadError ? [toWarning(error)] : [];
  });

const xmlError = (file: InputFile): ReadError | undefined => (looksLike.XML(file) ? declarationError(file) : undefined);

const toWarning = ({ message, place }: ReadError): Warning => (place ? { place, message } : { message });

/** Reads file by file, so that one that cannot be read does not take the others with it. */
function readGuarded(
  format: Format,
  claimed: readonly InputFile[],
  into: TreeBuilder,
  options: ReadOptions,
  all: readonly InputFile[],
): Warning[] {
  // Files that mean something only together are read at once.
  const isTogether = format === formats.commonplace || format === formats.markdown || format === formats.alfred;
  const errors: Warning[] = [];
  for (const part of isTogether ? [claimed] : claimed.map((file) => [file])) {
    try {
      format.read(part, into, options, all);
    } catch (error) {
      if (!(error instanceof ReadError) && !(error instanceof RangeError)) throw error;
      const warning = error instanceof ReadError ? toWarning(error) : { message: "The file is nested too deeply." };
      if (format === formats.commonplace) throw error;
      errors.push(warning);
    }
  }
  return errors;
}

/** Writes a tree as files of a format. What the tool would run comes first in the warnings. */
export function writeFiles(tree: Tree, id: FormatId): Writing {
  const { name, write }: Format = formats[id];
  if (!write) throw new Error(`${id} has no export.`);
  const { files, warnings, code = [] } = write(tree);
  return { files, code, warnings: [...warnOfCode(name, code), ...warnings] };
}

/** Names the snippets whose code a tool runs, and where they are in the files. */
function warnOfCode(tool: string, code: readonly WrittenCode[]): Warning[] {
  if (code.length === 0) return [];
  const snippets = code.length === 1 ? "a snippet" : counted(code.length, "snippet");
  const names = code.map(({ title, place }) => `"${shortened(title)}" (${place.file}:${place.line})`);
  return [
    {
      message: `${tool} runs code from ${snippets} when you insert ${code.length === 1 ? "it" : "them"}: ${joined(names)}.`,
    },
  ];
}
