// The last line of a backup: a checksum of all that stands before it. SQLite finds a damaged page, but not a changed letter within
// a text, and nobody sees by a file's end that some of it is missing. SQLite itself does not mind the line.
import { closeSync, fdatasyncSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { OperatorError } from "../../platform/operator-error.ts";

export interface Seal {
  readonly bytes: number;
  /** Of the whole file, as sha256sum tells it. */
  readonly sha256: string;
}

export type OnBytes = (done: number, total: number) => void;

const chunkBytes = 1024 * 1024;
/** Written through to the disk so often, a copy never holds up the service's own writes for long. */
export const syncEveryBytes = 8 * 1024 * 1024;

const sealOf = (sha256: string): string => `\ncommonplace backup 1, sha256 ${sha256}\n`;
const sealBytes = sealOf("0".repeat(64)).length;
const sqliteStart = "SQLite format 3\0";

/** Puts the last line under a file that is complete without it, and writes all through to the disk. */
export function seal(path: string, onBytes: OnBytes): Seal {
  const file = openSync(path, "r+");
  try {
    const total = fstatSync(file).size;
    const hash = new Bun.CryptoHasher("sha256");
    readAll(file, total, (chunk, done) => {
      hash.update(chunk);
      onBytes(done, total);
    });
    const line = sealOf(hash.copy().digest("hex"));
    hash.update(line);
    writeSync(file, line, total);
    fsyncSync(file);
    return { bytes: total + sealBytes, sha256: hash.digest("hex") };
  } finally {
    closeSync(file);
  }
}

/** Copies what stands before the last line into a new file. @throws OperatorError when `from` is no whole backup */
export function copyUnsealed(from: string, to: string, onBytes: OnBytes): Seal {
  const source = openBackup(from);
  try {
    const target = openSync(to, "wx", 0o600);
    try {
      const total = fstatSync(source).size - sealBytes;
      const hash = new Bun.CryptoHasher("sha256");
      let synced = 0;
      readAll(source, total, (chunk, done) => {
        hash.update(chunk);
        for (let written = 0; written < chunk.length; ) written += writeSync(target, chunk, written);
        if (done - synced >= syncEveryBytes) {
          fdatasyncSync(target);
          synced = done;
        }
        onBytes(done, total);
      });
      const line = readText(source, total, sealBytes);
      if (line !== sealOf(hash.copy().digest("hex")))
        throw new OperatorError(`${from} is damaged: its content does not match the checksum in its last line`);
      fsyncSync(target);
      return { bytes: total + sealBytes, sha256: hash.update(line).digest("hex") };
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

/** @throws OperatorError that says what the file is instead of a backup */
export function requireBackup(path: string): void {
  closeSync(openBackup(path));
}

function openBackup(path: string): number {
  const file = openSync(path, "r");
  const status = fstatSync(file);
  const wrong = !status.isFile() ? "is no file" : status.size === 0 ? "is empty" : lookAtContent(file, status.size);
  if (wrong === undefined) return file;
  closeSync(file);
  throw new OperatorError(`${path} ${wrong}`);
}

function lookAtContent(file: number, bytes: number): string | undefined {
  if (readText(file, 0, sqliteStart.length) !== sqliteStart) return "is no backup of Commonplace";
  const end = readText(file, Math.max(0, bytes - sealBytes), sealBytes);
  const shape = sealOf("0".repeat(64)).replace("1,", "\\d+,").replace("0".repeat(64), "[0-9a-f]{64}");
  if (new RegExp(`^${shape}$`).test(end)) return undefined;
  return "is cut off, or was not made by ./commonplace backup: the line that closes a backup is missing";
}

function readText(file: number, at: number, bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  return buffer.toString("latin1", 0, readSync(file, buffer, 0, bytes, at));
}

/** Hands over the first so many bytes in chunks. */
function readAll(file: number, total: number, take: (chunk: Uint8Array, done: number) => void): void {
  const buffer = Buffer.alloc(chunkBytes);
  for (let done = 0; done < total; ) {
    const read = readSync(file, buffer, 0, Math.min(chunkBytes, total - done), done);
    if (read === 0) throw new OperatorError("the file became shorter while it was read");
    done += read;
    take(buffer.subarray(0, read), done);
  }
}
