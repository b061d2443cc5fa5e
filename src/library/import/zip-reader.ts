// Reads the entries of a zip file one by one, by the list at its end, so that only one of them has to be in memory.
import { readSync } from "node:fs";
import { crc32, inflateRawSync } from "node:zlib";
import { bytesPerMebibyte } from "../../contract/limits.ts";
import { ReadError } from "../formats/read-error.ts";

/** One entry, decompressed. */
const entryMebibytesMax = 512;
const [headerBytes, centralBytes, endBytes, commentBytesMax] = [30, 46, 22, 0xffff];
const signatures = { header: 0x0403_4b50, central: 0x0201_4b50, end: 0x0605_4b50 };
const [methodStored, methodDeflate] = [0, 8];
/** Stands for a number that is elsewhere, in a zip of more than 4 GiB. */
const elsewhere = 0xffff_ffff;

interface Entry {
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly position: number;
}

/** A file that is open for reading. */
export interface OpenFile {
  readonly descriptor: number;
  readonly bytes: number;
}

export class ZipReader {
  readonly #file: OpenFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(file: OpenFile, entries: ReadonlyMap<string, Entry>) {
    this.#file = file;
    this.#entries = entries;
  }

  /** @returns undefined for what is no zip, or one of a kind that Commonplace does not write */
  static open(file: OpenFile): ZipReader | undefined {
    const entries = listEntries(file);
    return entries && new ZipReader(file, entries);
  }

  get paths(): string[] {
    return [...this.#entries.keys()];
  }

  has(path: string): boolean {
    return this.#entries.has(path);
  }

  /** @throws ReadError for one that is damaged or too large */
  read(path: string): Uint8Array {
    const entry = this.#entries.get(path);
    const fail = (message: string): never => {
      throw new ReadError(message, { file: path });
    };
    if (!entry) return fail("The file is not in the archive.");
    if (entry.bytes > entryMebibytesMax * bytesPerMebibyte)
      return fail(`The file is larger than ${entryMebibytesMax} MiB when decompressed.`);
    try {
      const header = readAt(this.#file, entry.position, headerBytes);
      if (header.readUInt32LE(0) !== signatures.header) throw new RangeError();
      const start = entry.position + headerBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
      const packed = readAt(this.#file, start, entry.packedBytes);
      const bytes =
        entry.method === methodStored ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(entry.bytes, 1) });
      if (bytes.length !== entry.bytes || crc32(bytes) !== entry.crc) throw new RangeError();
      return bytes;
    } catch {
      return fail("The archive is damaged: this file cannot be decompressed.");
    }
  }
}

function listEntries(file: OpenFile): ReadonlyMap<string, Entry> | undefined {
  try {
    const tailBytes = Math.min(file.bytes, endBytes + commentBytesMax);
    const tail = readAt(file, file.bytes - tailBytes, tailBytes);
    const end = lastEnd(tail);
    if (end === undefined) return undefined;
    const [count, bytes, position] = [
      tail.readUInt16LE(end + 10),
      tail.readUInt32LE(end + 12),
      tail.readUInt32LE(end + 16),
    ];
    return parseEntries(readAt(file, position, bytes), count);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function lastEnd(tail: Buffer): number | undefined {
  for (let at = tail.length - endBytes; at >= 0; at -= 1) if (tail.readUInt32LE(at) === signatures.end) return at;
  return undefined;
}

function parseEntries(list: Buffer, count: number): ReadonlyMap<string, Entry> | undefined {
  const entries = new Map<string, Entry>();
  for (let [index, at] = [0, 0]; index < count; index += 1) {
    if (list.readUInt32LE(at) !== signatures.central) return undefined;
    const isEncrypted = (list.readUInt16LE(at + 8) & 1) === 1;
    const [method, nameBytes] = [list.readUInt16LE(at + 10), list.readUInt16LE(at + 28)];
    const entry = {
      ...{ method, crc: list.readUInt32LE(at + 16), packedBytes: list.readUInt32LE(at + 20) },
      ...{ bytes: list.readUInt32LE(at + 24), position: list.readUInt32LE(at + 42) },
    };
    const path = list.toString("utf8", at + centralBytes, at + centralBytes + nameBytes);
    const isReadable = method === methodStored || method === methodDeflate;
    const isElsewhere = [entry.packedBytes, entry.bytes, entry.position].includes(elsewhere);
    if (isEncrypted || !isReadable || isElsewhere || entries.has(path)) return undefined;
    entries.set(path, entry);
    at += centralBytes + nameBytes + list.readUInt16LE(at + 30) + list.readUInt16LE(at + 32);
  }
  return entries;
}

/** @throws RangeError for what is beyond the end of the file */
function readAt(file: OpenFile, position: number, bytes: number): Buffer {
  if (position + bytes > file.bytes) throw tooShort();
  const buffer = Buffer.alloc(bytes);
  for (let read = 0; read < bytes; ) {
    const count = readSync(file.descriptor, buffer, read, bytes - read, position + read);
    if (count === 0) throw tooShort();
    read += count;
  }
  return buffer;
}

const tooShort = (): RangeError => new RangeError("the file is too short");
