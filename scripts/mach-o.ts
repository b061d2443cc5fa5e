// Signs executables for macOS without a certificate ("ad hoc"): the signature contains the checksum of each page, and macOS ends a program whose
// pages differ from its signature. Bun does this for ARM64; for x64, it leaves the signature of its own executable, which no longer fits.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";

const segmentCommand = 0x19;
const codeSignatureCommand = 0x1d;
const headerBytes = 32;
const pageBits = 12;
const pageBytes = 1 << pageBits;
const hashBytes = 32;
const superBlobBytes = 20;
const directoryBytes = 88;

/** Signs an executable that Bun has built, if Bun does not. @param target such as `bun-darwin-x64`; undefined for this machine */
export function signExecutable(path: string, target = `bun-${process.platform}-${process.arch}`): void {
  if (target === "bun-darwin-x64") writeFileSync(path, signAdHoc(readFileSync(path), basename(path)));
}

/** The executable with a new signature at its end. @throws Error if it has no room for one */
function signAdHoc(executable: Uint8Array, identifier: string): Buffer {
  const file = Buffer.from(executable);
  const commands = readCommands(file);
  const signature = commands.find(({ kind }) => kind === codeSignatureCommand)?.bytes;
  const segment = (name: string) =>
    commands.find(({ kind, bytes }) => kind === segmentCommand && nameOf(bytes) === name)?.bytes;
  const [text, linkEdit] = [segment("__TEXT"), segment("__LINKEDIT")];
  if (!signature || !text || !linkEdit) throw new Error("the executable has no place for a signature");

  const end = signature.readUInt32LE(8);
  const pages = Math.ceil(end / pageBytes);
  const hashOffset = directoryBytes + identifier.length + 1;
  const directoryLength = hashOffset + pages * hashBytes;
  const length = roundUp(superBlobBytes + directoryLength, 16);
  // The first page, which is signed too, says how long the signature is.
  signature.writeUInt32LE(length, 12);
  const linked = end + length - Number(linkEdit.readBigUInt64LE(40));
  linkEdit.writeBigUInt64LE(BigInt(roundUp(linked, pageBytes)), 32);
  linkEdit.writeBigUInt64LE(BigInt(linked), 48);

  const written = Buffer.alloc(length);
  written.writeUInt32BE(0xfade0cc0, 0);
  written.writeUInt32BE(superBlobBytes + directoryLength, 4);
  // One part, the code directory.
  written.writeUInt32BE(1, 8);
  written.writeUInt32BE(superBlobBytes, 16);
  const directory = written.subarray(superBlobBytes);
  const fields = [
    ...[0xfade0c02, directoryLength, directoryVersion, adHoc | linkerSigned],
    ...[hashOffset, directoryBytes, 0, pages, end],
  ];
  for (const [index, field] of fields.entries()) directory.writeUInt32BE(field, 4 * index);
  directory.set([hashBytes, sha256Type, 0, pageBits], 36);
  directory.writeBigUInt64BE(text.readBigUInt64LE(40), 64);
  directory.writeBigUInt64BE(text.readBigUInt64LE(48), 72);
  directory.writeBigUInt64BE(mainBinary, 80);
  directory.write(identifier, directoryBytes);
  const signed = file.subarray(0, end);
  for (let page = 0; page < pages; page += 1) {
    const part = signed.subarray(page * pageBytes, (page + 1) * pageBytes);
    directory.set(createHash("sha256").update(part).digest(), hashOffset + page * hashBytes);
  }
  return Buffer.concat([signed, written]);
}

const directoryVersion = 0x20400;
const adHoc = 0x2;
const linkerSigned = 0x20000;
const sha256Type = 2;
const mainBinary = 1n;

interface LoadCommand {
  readonly kind: number;
  readonly bytes: Buffer;
}

/** The load commands of an executable, which share its bytes. */
function readCommands(file: Buffer): LoadCommand[] {
  const commands: LoadCommand[] = [];
  let at = headerBytes;
  for (let left = file.readUInt32LE(16); left > 0; left -= 1) {
    const bytes = file.subarray(at, at + file.readUInt32LE(at + 4));
    commands.push({ kind: bytes.readUInt32LE(0), bytes });
    at += bytes.length;
  }
  return commands;
}

const nameOf = (segment: Buffer): string => segment.toString("latin1", 8, 24).replace(/\0+$/, "");

const roundUp = (value: number, unit: number): number => Math.ceil(value / unit) * unit;
