// Several files as one zip, without compression: the service opens it at once.
import type { ChosenFile } from "./chosen-files.ts";

/** What a file takes in the zip: itself, and two headers with its path. */
export const zippedBytes = (path: string, bytes: number): number =>
  bytes + 76 + 2 * new TextEncoder().encode(path).length;
export const zipEndBytes = 22;

/** The same for the same files, so that an import that was interrupted continues. */
const time = new Date(1980, 0, 1);

/** @returns undefined where none of them can be read */
export async function zipFiles(
  files: readonly ChosenFile[],
): Promise<{ readonly zip: Blob; readonly unreadable: readonly string[] } | undefined> {
  const { zipSync } = await import("fflate");
  const sorted = files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const read = await Promise.all(sorted.map(({ path, file }) => bytesOf(file).then((bytes) => ({ path, bytes }))));
  const entries = read.flatMap(({ path, bytes }) => (bytes ? [[path, bytes] as const] : []));
  if (entries.length === 0) return undefined;
  return {
    zip: new Blob([zipSync(Object.fromEntries(entries), { level: 0, mtime: time })]),
    unreadable: read.flatMap(({ path, bytes }) => (bytes ? [] : path)),
  };
}

const bytesOf = (file: File): Promise<Uint8Array | undefined> =>
  file.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    () => undefined,
  );
