// The last line of a backup: a checksum of everything before it. SQLite detects a damaged page, but neither a changed letter within a text
// nor a missing end of the file. It ignores the line.
import { closeSync, fdatasyncSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { OperatorError } from "../../platform/operator-error.ts";

/** Size and checksum of a backup with its trailer. */
export interface FileDigest {
  readonly bytes: number;
  /** Of the whole file, as sha256sum prints it. */
  readonly sha256: string;
}

/** Called while a file is read. */
export type OnBytes = (done: number, total: number) => void;

const chunkBytes = 1024 * 1024;
/** A copy is synced to the disk this often, so that it never delays the service's own writes for long. */
export const syncEveryBytes = 8 * 1024 * 1024;

const trailerOf = (sha256: string): string => `\ncommonplace backup 1, sha256 ${sha256}\n`;
const trailerBytes = trailerOf("0".repeat(64)).length;
const sqliteMagic = "SQLite format 3\0";

/** Appends the trailer to a complete database file and syncs the whole file to the disk. */
export function appendTrailer(path: string, onBytes: OnBytes): FileDigest {
  const file = openSync(path, "r+");
  try {
    const total = fstatSync(file).size;
    const hash = new Bun.CryptoHasher("sha256");
    readAll(file, total, (chunk, done) => {
      hash.update(chunk);
      onBytes(done, total);
    });
    const trailer = trailerOf(hash.copy().digest("hex"));
    hash.update(trailer);
    writeSync(file, trailer, total);
    fsyncSync(file);
    return { bytes: total + trailerBytes, sha256: hash.digest("hex") };
  } finally {
    closeSync(file);
  }
}

/** Copies a backup without its trailer into a new file and verifies the checksum. @throws OperatorError if `from` is no intact backup */
export function copyWithoutTrailer(from: string, to: string, onBytes: OnBytes): FileDigest {
  const source = openBackup(from);
  try {
    const target = openSync(to, "wx", 0o600);
    try {
      const total = fstatSync(source).size - trailerBytes;
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
      const trailer = readText(source, total, trailerBytes);
      if (trailer !== trailerOf(hash.copy().digest("hex")))
        throw new OperatorError(`${from} is damaged: its content does not match its checksum`);
      fsyncSync(target);
      return { bytes: total + trailerBytes, sha256: hash.update(trailer).digest("hex") };
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

/** The content of a backup that is decrypted while it is read. */
export interface Content {
  readonly bytes: number;
  readonly portions: AsyncIterable<Uint8Array>;
  /** Of the file that contains it, once everything was read. */
  readonly digest: () => FileDigest;
}

/** The same for the content of an encrypted backup. @throws OperatorError if it is no intact backup */
export async function writeWithoutTrailer(
  from: string,
  { bytes, portions, digest }: Content,
  to: string,
  onBytes: OnBytes,
): Promise<FileDigest> {
  const target = openSync(to, "wx", 0o600);
  try {
    const total = Math.max(0, bytes - trailerBytes);
    const hash = new Bun.CryptoHasher("sha256");
    let [done, synced, trailer] = [0, 0, ""];
    for await (const portion of portions) {
      const body = portion.subarray(0, total - done);
      if (done === 0 && !hasMagic(body)) throw new OperatorError(`${from} is not a Commonplace backup`);
      trailer += Buffer.from(portion.subarray(body.length)).toString("latin1");
      hash.update(body);
      for (let written = 0; written < body.length; ) written += writeSync(target, body, written);
      done += body.length;
      if (done - synced >= syncEveryBytes) {
        fdatasyncSync(target);
        synced = done;
      }
      onBytes(done, total);
    }
    if (trailer !== trailerOf(hash.digest("hex")))
      throw new OperatorError(`${from} is damaged: its content does not match its checksum`);
    fsyncSync(target);
    return digest();
  } finally {
    closeSync(target);
  }
}

const hasMagic = (start: Uint8Array): boolean =>
  Buffer.from(start.subarray(0, sqliteMagic.length)).toString("latin1") === sqliteMagic;

/** Looks at the beginning and the end of a file only. @throws OperatorError that says why it is no backup */
export function requireBackup(path: string): void {
  closeSync(openBackup(path));
}

function openBackup(path: string): number {
  const file = openSync(path, "r");
  const status = fstatSync(file);
  const error = !status.isFile()
    ? "is not a file"
    : status.size === 0
      ? "is empty"
      : findFormatError(file, status.size);
  if (error === undefined) return file;
  closeSync(file);
  throw new OperatorError(`${path} ${error}`);
}

function findFormatError(file: number, bytes: number): string | undefined {
  if (readText(file, 0, sqliteMagic.length) !== sqliteMagic) return "is not a Commonplace backup";
  const end = readText(file, Math.max(0, bytes - trailerBytes), trailerBytes);
  const shape = trailerOf("0".repeat(64)).replace("1,", "\\d+,").replace("0".repeat(64), "[0-9a-f]{64}");
  if (new RegExp(`^${shape}$`).test(end)) return undefined;
  return "is incomplete, or was not created by ./commonplace backup: its last line, the checksum, is missing";
}

function readText(file: number, at: number, bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  return buffer.toString("latin1", 0, readSync(file, buffer, 0, bytes, at));
}

/** Reads the first `total` bytes in chunks. */
function readAll(file: number, total: number, onChunk: (chunk: Uint8Array, done: number) => void): void {
  const buffer = Buffer.alloc(chunkBytes);
  for (let done = 0; done < total; ) {
    const read = readSync(file, buffer, 0, Math.min(chunkBytes, total - done), done);
    if (read === 0) throw new OperatorError("the file became shorter while it was being read");
    done += read;
    onChunk(buffer.subarray(0, read), done);
  }
}
