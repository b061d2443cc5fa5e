// Writes tar archives (POSIX ustar) that are the same bytes for the same files: entries are sorted, and date, mode, and owner are given.

export interface Entry {
  /** Without a slash at the beginning. */
  readonly path: string;
  /** Undefined: a directory. */
  readonly bytes?: Uint8Array;
  readonly mode: number;
  /** The numbers of the user and the group; root by default. */
  readonly owner?: number;
}

const blockBytes = 512;
const [nameBytesMax, prefixBytesMax] = [100, 155];
const directoryMode = 0o755;

/** A file with the content of a text. */
export const textFile = (path: string, text: string, mode = 0o644): Entry => ({
  path,
  mode,
  bytes: new TextEncoder().encode(text),
});

/**
 * @param entries in any order; the directories that they are in need no entries of their own
 * @param date in seconds since 1970
 * @param start what all paths begin with, such as `./`
 */
export function tar(entries: readonly Entry[], date: number, start = ""): Buffer {
  const blocks: Uint8Array[] = [];
  for (const entry of inOrder(entries)) {
    const size = entry.bytes?.length ?? 0;
    blocks.push(headerOf({ ...entry, path: start + entry.path }, size, date));
    if (entry.bytes) blocks.push(entry.bytes, new Uint8Array((blockBytes - (size % blockBytes)) % blockBytes));
  }
  return Buffer.concat([...blocks, new Uint8Array(2 * blockBytes)]);
}

/** The entries by path, each after the directory that it is in. */
function inOrder(entries: readonly Entry[]): Entry[] {
  const all = new Map<string, Entry>();
  for (const entry of entries) {
    const names = entry.path.split("/");
    for (let depth = 1; depth < names.length; depth += 1) {
      const path = names.slice(0, depth).join("/");
      if (!all.has(path)) all.set(path, { path, mode: directoryMode });
    }
    const known = all.get(entry.path);
    if (known?.bytes) throw new Error(`${entry.path} is in the archive twice`);
    all.set(entry.path, entry);
  }
  return [...all.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}

function headerOf({ path, bytes, mode, owner = 0 }: Entry, size: number, date: number): Buffer {
  const header = Buffer.alloc(blockBytes);
  const [prefix, name] = splitPath(bytes ? path : `${path}/`);
  const octal = (value: number, offset: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, "0")}\0`, offset);
  header.write(name, 0);
  octal(mode, 100, 8);
  octal(owner, 108, 8);
  octal(owner, 116, 8);
  octal(size, 124, 12);
  octal(date, 136, 12);
  // The checksum is computed as if it were spaces.
  header.fill(" ", 148, 156);
  header.write(bytes ? "0" : "5", 156);
  header.write("ustar\x0000", 257);
  if (owner === 0) for (const offset of [265, 297]) header.write("root", offset);
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** A path of more than 100 bytes is stored in two fields. */
function splitPath(path: string): readonly [prefix: string, name: string] {
  if (Buffer.byteLength(path) <= nameBytesMax) return ["", path];
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (name !== "" && Buffer.byteLength(name) <= nameBytesMax && Buffer.byteLength(prefix) <= prefixBytesMax)
      return [prefix, name];
  }
  throw new Error(`${path} is too long for an archive`);
}
