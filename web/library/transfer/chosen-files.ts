// The files that somebody dropped or chose, also those in folders, and what of them is not sent.
import { isHidden, isSystemFile } from "../../../src/library/formats/wanted-files.ts";
import { textLimits } from "../../limits.ts";
import type { ImportIssue } from "./import-run.ts";
import type { Given } from "./open-transfer.ts";
import { zipEndBytes, zippedBytes } from "./zip.ts";

export interface ChosenFile {
  /** With `/` between its parts. */
  readonly path: string;
  readonly file: File;
}

export interface ChosenFiles {
  /** Of the file or folder; undefined for several. */
  readonly name: string | undefined;
  readonly isFolder: boolean;
  readonly files: readonly ChosenFile[];
  /** What cannot be sent. */
  readonly problems: readonly ImportIssue[];
  /** What nobody means to import. */
  readonly leftOut: readonly ImportIssue[];
}

const bytesMax = textLimits.requestBodyBytesMax;
const mebibytes = `${bytesMax / 1024 / 1024} MiB`;
const messages = {
  hidden: "Hidden and system files are left out.",
  unreadable: "Your browser couldn’t read this.",
  double: "Another file has the same path.",
} as const;

export const noteOf = (file: string, why: keyof typeof messages): ImportIssue => ({
  ...{ file, line: null, message: messages[why] },
});

/** @throws Error for files that are too large to be sent, before it has read them */
export async function readGiven(given: readonly Given[]): Promise<ChosenFiles> {
  const files = new Map<string, File>();
  const [problems, leftOut] = [new Map<string, ImportIssue>(), new Map<string, ImportIssue>()];
  let bytes = zipEndBytes;
  const fail = (path: string, why: "unreadable" | "double") => problems.set(path, noteOf(path, why));
  const add = (path: string, file: File | undefined) => {
    if (!file) return fail(path, "unreadable");
    if (files.has(path)) return fail(path, "double");
    files.set(path, file);
    bytes += zippedBytes(path, file.size);
    if (bytes > bytesMax && isInFolder(path)) throw tooLarge(2);
  };
  const isWanted = (path: string): boolean => {
    const unwanted = unwantedPart(path);
    if (unwanted !== undefined) leftOut.set(unwanted, noteOf(unwanted, "hidden"));
    return unwanted === undefined;
  };
  const walk = async (entry: FileSystemEntry, path: string): Promise<void> => {
    if (isFileEntry(entry)) {
      if (isWanted(path)) add(path, await fileOf(entry));
    } else if (isFolderEntry(entry) && isWanted(`${path}/`)) {
      const { all, isWhole } = await entriesOf(entry);
      if (!isWhole) fail(path, "unreadable");
      for (const inner of all) await walk(inner, `${path}/${inner.name}`);
    }
  };
  for (const each of given) {
    const path = each instanceof File ? each.webkitRelativePath || each.name : each.name;
    if (!(each instanceof File)) await walk(each, path);
    else if (isWanted(path)) add(path, each);
  }
  const [[only] = []] = files;
  if (files.size > 1 ? bytes > bytesMax : (files.get(only ?? "")?.size ?? 0) > bytesMax) throw tooLarge(files.size);
  return named(files, [...problems.values()], [...leftOut.values()]);
}

const tooLarge = (count: number) =>
  new Error(
    count === 1
      ? `This file is larger than ${mebibytes}. Import it in parts.`
      : `Together, these files are larger than ${mebibytes}. Import them in parts, or as a zip file.`,
  );

const isInFolder = (path: string): boolean => path.includes("/");

/**
 * The hidden file or folder that a path is or leads into. What somebody points at is wanted, whatever its name is.
 * @param path of a folder with `/` at its end
 */
export function unwantedPart(path: string): string | undefined {
  const [top = "", ...inner] = path.split(/(?<=\/)/);
  const at = inner.findIndex((_, index) => {
    const start = inner.slice(0, index + 1).join("");
    return isHidden(start) || isSystemFile(start);
  });
  return at < 0 ? undefined : (top + inner.slice(0, at + 1).join("")).replace(/\/$/, "");
}

/** Everything in one folder is named from there. */
function named(
  files: ReadonlyMap<string, File>,
  problems: readonly ImportIssue[],
  leftOut: readonly ImportIssue[],
): ChosenFiles {
  const paths = [...files.keys()];
  const [first = ""] = paths;
  const folder = first.slice(0, first.indexOf("/") + 1);
  const isFolder = folder !== "" && paths.every((path) => path.startsWith(folder));
  const inside = (path: string) => (isFolder && path.startsWith(folder) ? path.slice(folder.length) : path);
  const renamed = (note: ImportIssue) => ({ ...note, file: inside(note.file ?? "") });
  return {
    name: isFolder ? folder.slice(0, -1) : files.size === 1 ? first : undefined,
    isFolder,
    files: [...files].map(([path, file]) => ({ path: inside(path), file })),
    problems: problems.map(renamed),
    leftOut: leftOut.map(renamed),
  };
}

const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolderEntry = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

const fileOf = (entry: FileSystemFileEntry): Promise<File | undefined> =>
  new Promise((resolve) => entry.file(resolve, () => resolve(undefined)));

/** A browser lists at most 100 at a time. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<{ all: FileSystemEntry[]; isWhole: boolean }> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[] | undefined>((resolve) =>
      reader.readEntries(resolve, () => resolve(undefined)),
    );
    if (!some || some.length === 0) return { all, isWhole: some !== undefined };
    all.push(...some);
  }
}
