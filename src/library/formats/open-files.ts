// From the bytes that someone gave to files of text: archives are opened, and encodings read.
import { InputFile } from "./input-file.ts";
import { isZip } from "./is-zip.ts";
import { ReadError } from "./read-error.ts";
import { readLimits } from "./read-limits.ts";
import type { Warning } from "./tree.ts";
import { isSystemFile } from "./wanted-files.ts";
import { quoted, readZip } from "./zip.ts";

export interface GivenFile {
  /** Relative, with `/` between its parts. Only its name matters for a single file. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface OpenedFiles {
  readonly files: readonly InputFile[];
  /** Files that cannot be opened. */
  readonly problems: readonly Warning[];
  /** Files that contain no text. */
  readonly warnings: readonly Warning[];
}

/** @throws ReadError for what makes all of it unreadable */
export function openFiles(given: readonly GivenFile[]): OpenedFiles {
  const [problems, warnings]: [Warning[], Warning[]] = [[], []];
  const givenBytes = given.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (givenBytes > readLimits.sourceBytesMax) throw new ReadError(tooLarge(given));
  if (given.length > readLimits.filesMax)
    throw new ReadError(`There are more than ${readLimits.filesMax.toLocaleString("en-US")} files.`);
  const [only] = given;
  const isArchive = given.length === 1 && only !== undefined && isZip(only.bytes);
  const entries = isArchive ? readZip(only.path, only.bytes, isWanted) : given.filter(({ path }) => isWanted(path));
  const files: InputFile[] = [];
  for (const { path, bytes } of entries) {
    const safe = safePath(path);
    const outcome = safe === undefined ? `${quoted(path)} is not a path inside the archive.` : decode(bytes);
    const place = { file: safe ?? quoted(path) };
    if (typeof outcome === "string") {
      const list = outcome === notText ? warnings : problems;
      list.push({ place, message: outcome });
    } else files.push(new InputFile(place.file, outcome.text));
  }
  files.sort((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0));
  return { files, problems, warnings };
}

const tooLarge = (given: readonly GivenFile[]): string =>
  `${given.length === 1 ? "The file is" : "Together, the files are"} larger than ${readLimits.sourceBytesMax / 1024 / 1024} MiB.`;

const isWanted = (path: string): boolean => !isSystemFile(path);

/** The path with `/`; undefined for one that leads out of its folder or cannot be one. */
function safePath(path: string): string | undefined {
  const parts = path.replaceAll("\\", "/").split("/");
  const isSafe =
    path.length <= readLimits.pathLengthMax &&
    !/^(?:\/|[A-Za-z]:)/.test(path.replaceAll("\\", "/")) &&
    path.isWellFormed() &&
    !/\p{Cc}/u.test(path) &&
    parts.every((part) => part !== ".." && part !== "");
  return isSafe ? parts.filter((part) => part !== ".").join("/") : undefined;
}

const sampledBytes = 8_192;

const byteOrderMarks: readonly {
  readonly bytes: readonly number[];
  readonly encoding: "utf-8" | "utf-16le" | "utf-16be";
}[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: "utf-8" },
  { bytes: [0xff, 0xfe], encoding: "utf-16le" },
  { bytes: [0xfe, 0xff], encoding: "utf-16be" },
];

const notText = "This is not a text file, so it is not imported.";

/** The text of a file, in UTF-8 or, with a byte order mark, UTF-16; otherwise why there is none. */
function decode(bytes: Uint8Array): { text: string } | string {
  if (isZip(bytes)) return "Archives inside folders or other archives cannot be imported. Extract them first.";
  const mark = byteOrderMarks.find((each) => each.bytes.every((byte, index) => bytes[index] === byte));
  // UTF-16 without a mark: a text in a Latin alphabet has a zero in every other byte.
  const encoding = mark?.encoding ?? (bytes[1] === 0 && bytes[3] === 0 && bytes[0] !== 0 ? "utf-16le" : "utf-8");
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes("\0") ? notText : { text };
  } catch {
    // Pictures, for example, have it at their beginning.
    if (encoding === "utf-8" && bytes.subarray(0, sampledBytes).includes(0)) return notText;
    return `The text is not in ${encoding === "utf-8" ? "UTF-8 or UTF-16" : "valid UTF-16"}. Save it as UTF-8.`;
  }
}
