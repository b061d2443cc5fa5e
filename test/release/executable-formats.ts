// Reads the headers of executables for other platforms, which cannot run here.
import { createHash } from "node:crypto";

/** What the header of an executable says it is for, such as `ELF x64`; undefined for another file. */
export function formatOf(bytes: Buffer): string | undefined {
  if (bytes.toString("latin1", 0, 4) === "\x7fELF") return `ELF ${elfMachines[bytes.readUInt16LE(18)]}`;
  if (bytes.readUInt32LE(0) === machO) return `Mach-O ${machOMachines[bytes.readUInt32LE(4)]}`;
  return undefined;
}

const elfMachines: Readonly<Record<number, string>> = { 62: "x64", 183: "arm64" };
const machOMachines: Readonly<Record<number, string>> = { 16777223: "x64", 16777228: "arm64" };
const machO = 0xfeedfacf;
const codeSignatureCommand = 0x1d;
const codeDirectory = 0xfade0c02;

/** The newest version of the GNU C library whose functions an ELF executable uses, such as 2.17. */
export function libcVersionOf(bytes: Buffer): string {
  const minors = Array.from(bytes.toString("latin1").matchAll(/GLIBC_2\.(\d+)\b/g), ([, minor]) => Number(minor));
  return `2.${minors.reduce((most, minor) => Math.max(most, minor), 0)}`;
}

/**
 * How a Mach-O executable is signed. macOS on ARM64 starts no executable without a signature, and none whose pages differ from it.
 * @returns the number of signed pages; 0 without a signature
 * @throws Error if a page differs from the signature
 */
export function signedPages(bytes: Buffer): number {
  const signature = findSignature(bytes);
  if (!signature) return 0;
  const directory = findBlob(signature, codeDirectory);
  const field = (offset: number) => directory.readUInt32BE(offset);
  const [hashOffset, pages, end] = [field(16), field(28), field(32)];
  const [hashBytes = 0, , , pageBits = 0] = directory.subarray(36, 40);
  for (let page = 0; page < pages; page += 1) {
    const from = page << pageBits;
    const part = bytes.subarray(from, Math.min(from + (1 << pageBits), end));
    const signed = directory.subarray(hashOffset + page * hashBytes, hashOffset + (page + 1) * hashBytes);
    if (!createHash("sha256").update(part).digest().equals(signed))
      throw new Error(`page ${page} differs from its signature`);
  }
  return pages;
}

function findSignature(bytes: Buffer): Buffer | undefined {
  const headerBytes = 32;
  let at = headerBytes;
  for (let left = bytes.readUInt32LE(16); left > 0; left -= 1) {
    if (bytes.readUInt32LE(at) === codeSignatureCommand) {
      const from = bytes.readUInt32LE(at + 8);
      return bytes.subarray(from, from + bytes.readUInt32LE(at + 12));
    }
    at += bytes.readUInt32LE(at + 4);
  }
  return undefined;
}

/** A part of a signature, by its first four bytes. */
function findBlob(signature: Buffer, magic: number): Buffer {
  for (let index = 0; index < signature.readUInt32BE(8); index += 1) {
    const at = signature.readUInt32BE(12 + 8 * index + 4);
    if (signature.readUInt32BE(at) === magic) return signature.subarray(at, at + signature.readUInt32BE(at + 4));
  }
  throw new Error("the signature has no code directory");
}
