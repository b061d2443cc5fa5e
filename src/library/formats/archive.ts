// The archive of Commonplace: JSON Lines in a zip, with a manifest that has the checksum of each file. Nothing is lost in it.
import { createHash } from "node:crypto";
import { z } from "zod";
import { type Format, textFile } from "./format.ts";
import type { InputFile } from "./input-file.ts";
import { ReadError } from "./read-error.ts";
import { readLimits } from "./read-limits.ts";
import type { OutputFile, Tree, TreeGroup, TreeSnippet } from "./tree.ts";
import { type TreeBuilder, warnOfFields } from "./tree-builder.ts";
import { writeZip } from "./zip.ts";

const formatName = "commonplace-archive";
/** Changes when an older reader would misunderstand the archive. It leaves out what it does not know, and says so. */
const schemaVersion = 1;

/** The files of an archive. */
export const archiveParts = {
  manifest: "manifest.json",
  folders: "folders.jsonl",
  tags: "tags.jsonl",
  snippets: (number: number) => `snippets-${String(number).padStart(5, "0")}.jsonl`,
  /** A file of snippets ends after so many characters. */
  lengthMax: 8 * 1024 * 1024,
} as const;

/** Archives that were written before folders and tags had times are still read. */
const timeOfGroup = z.string().nullable().default(null);
const group = z.strictObject({
  key: z.string(),
  name: z.string(),
  color: z.string().nullable(),
  parent: z.string().nullable(),
  createdAt: timeOfGroup,
  updatedAt: timeOfGroup,
});
const version = { type: z.string(), content: z.string(), changedAt: z.string().nullable() };
const snippet = z.strictObject({
  title: z.string(),
  note: z.string().nullable(),
  shortcut: z.string().nullable(),
  folder: z.string().nullable(),
  tags: z.array(z.string()),
  isArchived: z.boolean(),
  variations: z
    .array(z.strictObject({ name: z.string(), ...version, formerVersions: z.array(z.strictObject(version)) }))
    .min(1),
  createdAt: z.string().nullable(),
  updatedAt: z.string().nullable(),
});
const manifest = z.object({
  format: z.literal(formatName),
  schemaVersion: z.int(),
  snippetCount: z.int(),
  files: z.record(z.string(), z.string()),
});

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

export const isManifest = (file: InputFile): boolean =>
  file.path === archiveParts.manifest && file.json?.get("format")?.string === formatName;

const linesFile = (path: string, rows: readonly unknown[]): string[] => [
  path,
  rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
];

export const archive: Format = {
  name: "Commonplace archive",
  source: "docs/use/formats.md",
  claims: isManifest,
  read: (claimed, into, _, all) => {
    for (const file of claimed) readArchive(file, all, into);
  },
  write: (tree) => ({ files: [{ path: "commonplace.zip", bytes: writeZip(archiveFiles(tree)) }], warnings: [] }),
};

function archiveFiles(tree: Tree): OutputFile[] {
  const texts = new Map<string, string>();
  const add = ([path = "", text = ""]: string[]) => texts.set(path, text);
  add(linesFile(archiveParts.folders, tree.folders));
  add(linesFile(archiveParts.tags, tree.tags));
  for (const [index, part] of inParts(tree.snippets).entries()) add([archiveParts.snippets(index + 1), part]);
  const hashes = Object.fromEntries([...texts].map(([path, text]) => [path, hashOf(text)]));
  return [
    textFile(archiveParts.manifest, manifestOf(hashes, tree.snippets.length)),
    ...[...texts].map(([path, text]) => textFile(path, text)),
  ];
}

/** @param files the SHA-256 of each other file */
export const manifestOf = (files: Readonly<Record<string, string>>, snippetCount: number): string =>
  JSON.stringify({ format: formatName, schemaVersion, snippetCount, files }, undefined, 2);

function inParts(snippets: readonly TreeSnippet[]): string[] {
  const parts: string[] = [];
  let lines: string[] = [];
  let length = 0;
  for (const each of snippets) {
    const line = `${JSON.stringify(each)}\n`;
    if (length > 0 && length + line.length > archiveParts.lengthMax) {
      parts.push(lines.join(""));
      [lines, length] = [[], 0];
    }
    lines.push(line);
    length += line.length;
  }
  return lines.length > 0 ? [...parts, lines.join("")] : parts;
}

function readArchive(file: InputFile, all: readonly InputFile[], into: TreeBuilder): void {
  const files = readManifest(file);
  const texts = new Map(all.map((each) => [each.path, each]));
  for (const each of all) if (each !== file && !Object.hasOwn(files, each.path)) into.warn(each.at(), notOfArchive);
  for (const [path, expected] of Object.entries(files)) {
    const entry = texts.get(path);
    if (!entry) throw missingFrom(file, path);
    requireHash(entry, expected);
    const kind = kindOfPart(path);
    if (kind === "snippets")
      for (const [index, row] of readSnippetRows(entry, into).entries()) into.addSnippet(entry.at(index + 1), row);
    else if (kind) into.addGroups(kind, readGroupRows(entry, kind, into));
    else into.warn(entry.at(), unknownFile);
  }
}

export const notOfArchive = "The file is left out, because it is not part of the archive.";
/** Of a later version. */
export const unknownFile = "The file is left out, because this version of Commonplace does not know it.";

export const missingFrom = (file: InputFile, path: string): ReadError =>
  new ReadError(`The archive is incomplete: "${path}" is missing.`, file.at());

/** @returns the SHA-256 of each other file. @throws ReadError */
export function readManifest(file: InputFile): Readonly<Record<string, string>> {
  const parsed = manifest.safeParse(file.json?.plain);
  if (!parsed.success) throw new ReadError("The manifest of the archive is damaged.", file.at());
  if (parsed.data.schemaVersion > schemaVersion)
    throw new ReadError("The archive was written by a newer version of Commonplace. Update this instance.", file.at());
  return parsed.data.files;
}

/** @throws ReadError */
export function requireHash(entry: InputFile, expected: string): void {
  if (hashOf(entry.text) !== expected)
    throw new ReadError(`The archive is damaged: "${entry.path}" does not match its checksum.`, entry.at());
}

/** What a file of an archive contains; undefined for what this version does not know. */
export function kindOfPart(path: string): keyof Tree | undefined {
  if (path === archiveParts.folders) return "folders";
  if (path === archiveParts.tags) return "tags";
  return /^snippets-\d+\.jsonl$/.test(path) ? "snippets" : undefined;
}

/** @param into learns of fields that are left out. @throws ReadError */
export const readGroupRows = (file: InputFile, kind: "folders" | "tags", into: TreeBuilder): TreeGroup[] =>
  rows(file, group, kind === "folders" ? "folder" : "tag", into);
/** @param into learns of fields that are left out; undefined where it knows already. @throws ReadError */
export const readSnippetRows = (file: InputFile, into: TreeBuilder | undefined): TreeSnippet[] =>
  rows(file, snippet, "snippet", into);

function rows<Row>(file: InputFile, schema: z.ZodType<Row>, noun: string, into: TreeBuilder | undefined): Row[] {
  const lines = file.text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (lines.length > readLimits.snippetsMax) throw new ReadError("The archive has too many lines.", file.at());
  return lines.map((line, index) => {
    const place = file.at(index + 1);
    const read = readRow(parsed(line), schema);
    if (!read) throw new ReadError("The archive is damaged: this line does not match its manifest.", place);
    if (into) warnOfFields(place, read.unknown, into, noun);
    return read.row;
  });
}

/** A row without the fields that only a later version knows, and their names. @returns undefined for a damaged row */
function readRow<Row>(given: unknown, schema: z.ZodType<Row>): { row: Row; unknown: readonly string[] } | undefined {
  const strict = schema.safeParse(given);
  if (strict.success) return { row: strict.data, unknown: [] };
  const unknown: string[] = [];
  for (const issue of strict.error.issues) {
    if (issue.code !== "unrecognized_keys") return undefined;
    const owner = issue.path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), given);
    for (const key of issue.keys) {
      Reflect.deleteProperty(Object(owner), key);
      unknown.push(key);
    }
  }
  const rest = schema.safeParse(given);
  return rest.success ? { row: rest.data, unknown } : undefined;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
