// Writes a zip to a file, entry by entry and piece by piece, so that its size does not matter for the memory. Each entry's header is
// completed when its size is known: readers that begin before the end of the zip need it there.
import { writeSync } from "node:fs";
import { crc32, createDeflateRaw, type DeflateRaw } from "node:zlib";

/** Compresses text nearly as well as higher levels, several times as fast. */
const level = 3;
const pieceLength = 256 * 1024;
const headerBytes = 30;
const centralBytes = 46;
const endBytes = 22;
/** Sizes and positions have 32 bits, and the number of entries has 16. */
const positionMax = 0xffff_fffe;
const entriesMax = 0xffff;
/** Names are in UTF-8. */
const flags = 0x0800;
const [versionNeeded, methodDeflate] = [20, 8];
/** January 1, 1980, the earliest time that a zip can have: the same content is the same file. */
const dosDate = 0x0021;

/** What is written does not fit into a zip. */
export class ZipTooLarge extends Error {
  override readonly name = "ZipTooLarge";
}

interface Entry {
  readonly path: Buffer;
  readonly position: number;
  crc: number;
  packedBytes: number;
  bytes: number;
}

interface OpenEntry {
  readonly entry: Entry;
  readonly deflate: DeflateRaw;
  readonly ended: Promise<void>;
  text: string;
}

export class ZipFile {
  readonly #file: number;
  readonly #entries: Entry[] = [];
  #open: OpenEntry | undefined;
  #position = 0;

  /** @param file an empty file that is open for writing */
  constructor(file: number) {
    this.#file = file;
  }

  /** Begins an entry; the one before it has ended. */
  begin(path: string): void {
    const entry = { path: Buffer.from(path), position: this.#position, crc: 0, packedBytes: 0, bytes: 0 };
    if (this.#entries.length >= entriesMax) throw new ZipTooLarge("the zip has too many entries");
    this.#append(headerOf(entry));
    const deflate = createDeflateRaw({ level });
    const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
    deflate.on("data", (piece: Buffer) => {
      try {
        this.#append(piece);
      } catch (error) {
        reject(error);
        deflate.destroy();
      }
    });
    deflate.on("end", resolve);
    deflate.on("error", reject);
    // Whoever writes to it or ends it finds out.
    ended.catch(() => undefined);
    this.#open = { entry, deflate, ended, text: "" };
  }

  /** Adds text to the open entry. */
  async write(text: string): Promise<void> {
    const open = this.#required();
    open.text += text;
    if (open.text.length >= pieceLength) await this.#compress(open);
  }

  /** Ends the open entry. @returns the bytes of the file so far, which do not change any more */
  async end(): Promise<number> {
    const open = this.#required();
    const { entry, deflate, ended } = open;
    await this.#compress(open);
    deflate.end();
    await ended;
    this.#open = undefined;
    entry.packedBytes = this.#position - entry.position - headerBytes - entry.path.length;
    if (entry.bytes > positionMax) throw new ZipTooLarge("an entry of the zip is too large");
    writeAll(this.#file, headerOf(entry), entry.position);
    this.#entries.push(entry);
    return this.#position;
  }

  /** Writes the list of the entries. @returns the bytes of the file */
  finish(): number {
    const start = this.#position;
    for (const entry of this.#entries) this.#append(centralHeaderOf(entry));
    const end = Buffer.alloc(endBytes);
    end.writeUInt32LE(0x0605_4b50, 0);
    end.writeUInt16LE(this.#entries.length, 8);
    end.writeUInt16LE(this.#entries.length, 10);
    end.writeUInt32LE(this.#position - start, 12);
    end.writeUInt32LE(start, 16);
    this.#append(end);
    return this.#position;
  }

  #required(): OpenEntry {
    if (!this.#open) throw new Error("no entry of the zip is open");
    return this.#open;
  }

  async #compress(open: OpenEntry): Promise<void> {
    if (open.text === "") return;
    const bytes = Buffer.from(open.text);
    open.text = "";
    open.entry.crc = crc32(bytes, open.entry.crc);
    open.entry.bytes += bytes.length;
    if (open.deflate.write(bytes)) return;
    await Promise.race([new Promise((resolve) => open.deflate.once("drain", resolve)), open.ended]);
  }

  #append(bytes: Uint8Array): void {
    if (this.#position + bytes.length > positionMax) throw new ZipTooLarge("the zip is too large");
    writeAll(this.#file, bytes, this.#position);
    this.#position += bytes.length;
  }
}

function writeAll(file: number, bytes: Uint8Array, position: number): void {
  for (let start = 0; start < bytes.length; )
    start += writeSync(file, bytes, start, bytes.length - start, position + start);
}

function headerOf({ path, crc, packedBytes, bytes }: Entry): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(versionNeeded, 4);
  writeCommon(header, 6, { crc, packedBytes, bytes }, path.length);
  return Buffer.concat([header, path]);
}

function centralHeaderOf({ path, position, ...sizes }: Entry): Buffer {
  const header = Buffer.alloc(centralBytes);
  header.writeUInt32LE(0x0201_4b50, 0);
  header.writeUInt16LE(versionNeeded, 4);
  header.writeUInt16LE(versionNeeded, 6);
  writeCommon(header, 8, sizes, path.length);
  header.writeUInt32LE(position, 42);
  return Buffer.concat([header, path]);
}

/** What both headers of an entry say. */
function writeCommon(
  header: Buffer,
  at: number,
  { crc, packedBytes, bytes }: Pick<Entry, "crc" | "packedBytes" | "bytes">,
  pathBytes: number,
): void {
  header.writeUInt16LE(flags, at);
  header.writeUInt16LE(methodDeflate, at + 2);
  header.writeUInt16LE(dosDate, at + 6);
  header.writeUInt32LE(crc, at + 8);
  header.writeUInt32LE(packedBytes, at + 12);
  header.writeUInt32LE(bytes, at + 16);
  header.writeUInt16LE(pathBytes, at + 20);
}
