// Reads and writes ar archives, which Debian packages are.

export interface Member {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const magic = "!<arch>\n";
const headerBytes = 60;

/** The members in this order, as files of root. @param date in seconds since 1970 */
export const ar = (members: readonly Member[], date: number): Buffer =>
  Buffer.concat([
    Buffer.from(magic),
    ...members.flatMap(({ name, bytes }) => [
      Buffer.from(
        [
          ...[name.padEnd(16), String(date).padEnd(12), "0".padEnd(6), "0".padEnd(6), "100644".padEnd(8)],
          ...[String(bytes.length).padEnd(10), "`\n"],
        ].join(""),
      ),
      bytes,
      // Each member begins at an even offset.
      Buffer.from(bytes.length % 2 === 1 ? "\n" : ""),
    ]),
  ]);

/** @throws Error if these are not the bytes of an archive */
export function readAr(archive: Uint8Array): Member[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  if (bytes.toString("latin1", 0, magic.length) !== magic) throw new Error("this is not an ar archive");
  const members: Member[] = [];
  for (let at = magic.length; at + headerBytes <= bytes.length; ) {
    const field = (from: number, to: number) => bytes.toString("latin1", at + from, at + to).trimEnd();
    const size = Number(field(48, 58));
    const from = at + headerBytes;
    members.push({ name: field(0, 16).replace(/\/$/, ""), bytes: bytes.subarray(from, from + size) });
    at = from + size + (size % 2);
  }
  return members;
}
