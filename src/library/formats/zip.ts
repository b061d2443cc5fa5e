// Zip files: read with bounds while they are decompressed, and written.
import { Unzip, UnzipInflate, UnzipPassThrough, type Unzipped, zipSync } from "fflate";
import { ReadError } from "./read-error.ts";
import { readLimits } from "./read-limits.ts";
import type { OutputFile } from "./tree.ts";

/** So much is decompressed before the limits are checked again: at most a thousand times as much comes out. */
const stepBytes = 16_384;

export interface ZipEntry {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * The files in a zip. Nothing is decompressed beyond the limits, whatever sizes the zip claims.
 * @param takes leaves out entries by their path, before they are decompressed
 * @throws ReadError
 */
export function readZip(archive: string, bytes: Uint8Array, takes: (path: string) => boolean): ZipEntry[] {
  const entries: ZipEntry[] = [];
  let [total, files] = [0, 0];
  const fail = (message: string): never => {
    throw new ReadError(message, { file: archive });
  };
  const unzip = new Unzip((entry) => {
    files += 1;
    if (files > readLimits.filesMax)
      fail(`The archive has more than ${readLimits.filesMax.toLocaleString("en-US")} files.`);
    if (entry.name.endsWith("/") || !takes(entry.name)) return;
    const pieces: Uint8Array[] = [];
    let size = 0;
    entry.ondata = (error, piece, isLast) => {
      // What was thrown below comes back here.
      if (error instanceof ReadError) throw error;
      if (error) fail(`${quoted(entry.name)} in the archive is damaged or encrypted.`);
      size += piece.length;
      total += piece.length;
      if (size > readLimits.entryBytesMax) fail(`${quoted(entry.name)} in the archive is too large when decompressed.`);
      if (total > readLimits.totalBytesMax) fail("The archive is too large when decompressed.");
      pieces.push(piece);
      if (isLast) entries.push({ path: entry.name, bytes: join(pieces, size) });
    };
    entry.start();
  });
  unzip.register(UnzipInflate);
  unzip.register(UnzipPassThrough);
  try {
    for (let start = 0; start < bytes.length; start += stepBytes) {
      const end = Math.min(bytes.length, start + stepBytes);
      unzip.push(bytes.subarray(start, end), end === bytes.length);
    }
  } catch (error) {
    if (error instanceof ReadError) throw error;
    fail("The archive is damaged or encrypted, or its compression method is not supported.");
  }
  return entries;
}

function join(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = pieces;
  if (pieces.length === 1 && first) return first;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** A path in a message: short, on one line. */
export const quoted = (path: string): string =>
  `"${[...path.slice(0, 200).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, "?")].slice(0, 100).join("")}"`;

/** The time of all entries: the same tree is the same bytes. The earliest that a zip can say. */
const entryTime = "1980-01-01T00:00:00";

export function writeZip(files: readonly OutputFile[]): Uint8Array {
  const entries: Record<string, Uint8Array> = Object.create(null);
  for (const { path, bytes } of files) entries[path] = bytes;
  return zipSync(entries as Unzipped, { level: 6, mtime: entryTime });
}
