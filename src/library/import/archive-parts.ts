// Reads an archive from a file, one of its parts at a time, so that its size does not matter for the memory.
import { createHash } from "node:crypto";
import {
  archiveParts,
  isManifest,
  kindOfPart,
  missingFrom,
  notOfArchive,
  readGroupRows,
  readManifest,
  readSnippetRows,
  requireHash,
  unknownFile,
} from "../formats/archive.ts";
import type { ReadResult } from "../formats/formats.ts";
import { InputFile } from "../formats/input-file.ts";
import { ReadError } from "../formats/read-error.ts";
import type { ImportTree, Place, SnippetList, TreeGroup, TreeSnippet } from "../formats/tree.ts";
import { TreeBuilder } from "../formats/tree-builder.ts";
import { isSystemFile } from "../formats/wanted-files.ts";
import { type OpenFile, ZipReader } from "./zip-reader.ts";

export interface ArchiveInParts extends Omit<ReadResult, "tree"> {
  readonly tree: ImportTree;
  /** The same for the same archive. */
  readonly hash: string;
}

/**
 * @param file stays open until the archive is imported
 * @returns undefined for anything but an archive of Commonplace in a zip file
 * @throws ReadError for an archive that is damaged
 */
export function readArchiveInParts(file: OpenFile): ArchiveInParts | undefined {
  const zip = ZipReader.open(file);
  if (!zip?.has(archiveParts.manifest)) return undefined;
  const open = (path: string): InputFile => new InputFile(path, textOf(path, zip.read(path)));
  const manifest = open(archiveParts.manifest);
  if (!isManifest(manifest)) return undefined;
  const files = readManifest(manifest);
  const groups = { folders: new Map<string, TreeGroup>(), tags: new Map<string, TreeGroup>() };
  const parts: Part[] = [];
  const places: Place[] = [];
  const noted = new TreeBuilder();
  const openChecked = (path: string): InputFile => {
    const part = open(path);
    requireHash(part, files[path] ?? "");
    return part;
  };
  for (const path of Object.keys(files)) {
    if (!zip.has(path)) throw missingFrom(manifest, path);
    const [part, kind] = [openChecked(path), kindOfPart(path)];
    if (kind !== "snippets") {
      if (kind) for (const group of readGroupRows(part, kind, noted)) groups[kind].set(group.key, group);
      else noted.warn(part.at(), unknownFile);
      continue;
    }
    const { length } = readSnippetRows(part, noted);
    parts.push({ path, start: places.length, length });
    for (let line = 1; line <= length; line += 1) places.push(part.at(line));
  }
  if (places.length === 0) throw new ReadError("No snippets were found (format: Commonplace archive).");
  const snippets = new SnippetsInParts(parts, places.length, (path) => readSnippetRows(openChecked(path), undefined));
  const others = zip.paths.filter(
    (path) =>
      path !== archiveParts.manifest && !Object.hasOwn(files, path) && !isSystemFile(path) && !path.endsWith("/"),
  );
  for (const path of others) noted.warn({ file: path }, notOfArchive);
  const hash = createHash("sha256").update(manifest.text).digest("hex");
  const tree = { folders: [...groups.folders.values()], tags: [...groups.tags.values()], snippets };
  return { format: "commonplace", tree, places, problems: [], warnings: noted.finish().warnings, hash };
}

function textOf(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ReadError("The archive is damaged: this file is not in UTF-8.", { file: path });
  }
}

/** A file with snippets. */
interface Part {
  readonly path: string;
  /** The index of its first snippet. */
  readonly start: number;
  readonly length: number;
}

/** The part that was read last is in memory. */
class SnippetsInParts implements SnippetList {
  readonly #parts: readonly Part[];
  readonly length: number;
  readonly #read: (path: string) => TreeSnippet[];
  #current: { readonly part: Part; readonly snippets: readonly TreeSnippet[] } | undefined;

  /** @param read has to return the same each time */
  constructor(parts: readonly Part[], length: number, read: (path: string) => TreeSnippet[]) {
    this.#parts = parts;
    this.length = length;
    this.#read = read;
  }

  at(index: number): TreeSnippet | undefined {
    const isIn = ({ start, length }: Part): boolean => index >= start && index < start + length;
    const part = this.#current && isIn(this.#current.part) ? this.#current.part : this.#parts.find(isIn);
    return part && this.#snippetsOf(part)[index - part.start];
  }

  *[Symbol.iterator](): Generator<TreeSnippet> {
    for (const part of this.#parts) yield* this.#snippetsOf(part);
  }

  #snippetsOf(part: Part): readonly TreeSnippet[] {
    if (this.#current?.part !== part) {
      this.#current = undefined;
      this.#current = { part, snippets: this.#read(part.path) };
    }
    return this.#current.snippets;
  }
}
