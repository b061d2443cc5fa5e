// Writes files into a directory that other programs and people use too: it changes and removes only files that it made, and that nobody has
// changed since.
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { Failure } from "../failures.ts";

/** What was made. No tool reads a file of this name. */
export const recordName = ".commonplace-sync";

export interface NewFile {
  /** Relative to the directory. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface WrittenFile extends NewFile {
  /** Whether there is no such file yet. */
  readonly isNew: boolean;
}

/** What happens to each file. */
export interface Plan {
  readonly written: readonly WrittenFile[];
  readonly removed: readonly string[];
  readonly unchanged: readonly string[];
  /** Those that should change, but are not cpl's own. */
  readonly kept: readonly { readonly path: string; readonly reason: string }[];
}

/** By path, the hashes of what was made: one, or the old and the new one while files are written. */
export type Made = Readonly<Record<string, readonly string[]>>;

/** Decides without changing anything. */
export function planSync(directory: string, teamId: string, files: readonly NewFile[]): Plan {
  const made = readRecord(directory)[teamId] ?? {};
  const written: WrittenFile[] = [];
  const removed: string[] = [];
  const unchanged: string[] = [];
  const kept: { path: string; reason: string }[] = [];
  for (const file of files) {
    const hash = hashIn(directory, requireInside(file.path));
    if (hash === hashOf(file.bytes)) unchanged.push(file.path);
    else if (hash === undefined || made[file.path]?.includes(hash))
      written.push({ ...file, isNew: hash === undefined });
    else kept.push({ path: file.path, reason: made[file.path] ? "has been changed" : "was not created by cpl" });
  }
  const wanted = new Set(files.map(({ path }) => path));
  for (const [path, hashes] of Object.entries(made)) {
    const hash = wanted.has(path) ? undefined : hashIn(directory, requireInside(path));
    if (hash === undefined) continue;
    if (hashes.includes(hash)) removed.push(path);
    else kept.push({ path, reason: "has been changed" });
  }
  return { written, removed, unchanged, kept };
}

/** Does what was planned. An interrupted run can be repeated: what is about to be made is recorded first. */
export function applySync(directory: string, teamId: string, { written, removed, unchanged, kept }: Plan): void {
  mkdirSync(directory, { recursive: true });
  const all = readRecord(directory);
  const before = all[teamId] ?? {};
  const record = (made: Made) =>
    replace(join(directory, recordName), `${JSON.stringify({ ...all, [teamId]: made })}\n`);
  const hashes = written.map(({ path, bytes }) => [path, hashOf(bytes)] as const);
  record({ ...before, ...Object.fromEntries(hashes.map(([path, hash]) => [path, [...(before[path] ?? []), hash]])) });
  for (const { path, bytes } of written) {
    mkdirSync(join(directory, dirname(path)), { recursive: true });
    replace(join(directory, path), bytes);
  }
  for (const path of removed) {
    rmSync(join(directory, path));
    removeIfEmpty(directory, dirname(path));
  }
  const still = [...unchanged, ...kept.map(({ path }) => path)].flatMap((path) => {
    const known = before[path];
    return known ? [[path, known] as const] : [];
  });
  record(Object.fromEntries([...still, ...hashes.map(([path, hash]) => [path, [hash]] as const)]));
}

/** The hash of a file; undefined if there is none. What is not a file, such as a link, has the hash of nothing that was made. */
function hashIn(directory: string, path: string): string | undefined {
  const status = lstatSync(join(directory, path), { throwIfNoEntry: false });
  if (!status) return undefined;
  return status.isFile() ? hashOf(readFileSync(join(directory, path))) : "not a file";
}

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Names come from the library and from the record, so neither must lead out of the directory. */
export function requireInside(path: string): string {
  if (normalize(path) === path && !/^(?:[/\\]|[a-z]:|\.\.(?:[/\\]|$))/i.test(path)) return path;
  throw new Failure(`"${path}" is not a path in the directory`);
}

/** Readers see the old file or the new one. */
export function replace(path: string, content: string | Uint8Array): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, content);
  renameSync(temporary, path);
}

export function removeIfEmpty(directory: string, below: string): void {
  if (below === ".") return;
  try {
    rmdirSync(join(directory, below));
  } catch {
    return;
  }
  removeIfEmpty(directory, dirname(below));
}

export function readRecord(directory: string): Readonly<Record<string, Made>> {
  const path = join(directory, recordName);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw error;
  }
  try {
    // `applySync` wrote it, or it cannot be parsed: it is replaced as a whole.
    return JSON.parse(text) as Record<string, Made>;
  } catch {
    throw new Failure(`${path} is damaged. Delete it and the files that cpl created, then run this command again`);
  }
}
