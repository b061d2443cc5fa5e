// Makes backups of an SQLite database in use, and restores them.
import { existsSync, mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { BackupEncryption } from "../../config.ts";
import { requireDatabaseFile } from "../../platform/database/sqlite.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { requireBackup } from "./checksum-trailer.ts";
import { type BackupKey, isEncrypted } from "./encryption.ts";
import {
  isPartial,
  partialPathFor,
  plainPathFor,
  publish,
  removeAbandonedPartials,
  removePartial,
  syncDirectory,
} from "./partial.ts";
import type { CopyReport, Step } from "./progress.ts";
import { startBackupWorker, type Task } from "./worker.ts";

export interface CopyOptions {
  readonly onStep?: (step: Step) => void;
  /** Aborts the work, which then leaves nothing behind. */
  readonly signal?: AbortSignal;
}

export interface MakeOptions extends CopyOptions {
  /** Undefined: the backup is not encrypted. */
  readonly encryption?: BackupEncryption | undefined;
}

export interface ReadOptions extends CopyOptions {
  /** For an encrypted backup. */
  readonly key?: BackupKey | undefined;
}

/** Where a restored instance keeps its data. */
export interface RestoreTarget {
  readonly dataDirectory: string;
  readonly databasePath: string;
}

type Without<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;
type TaskWithoutPartial = Without<Task, "partial">;

/** What was made, where, and how long it took. */
export interface CopyResult extends CopyReport {
  readonly path: string;
  readonly milliseconds: number;
}

/** Writes a consistent copy of the database as of now to a new file. @throws OperatorError, DatabaseUnusable */
export async function makeBackup(databasePath: string, to: string, options: MakeOptions = {}): Promise<CopyResult> {
  const path = resolve(to);
  const plain = plainPathFor(resolve(databasePath));
  requireDatabaseFile(databasePath);
  if (existsSync(path)) throw new OperatorError(`${path} already exists and was not overwritten`);
  if (!existsSync(dirname(path))) throw new OperatorError(`the directory ${dirname(path)} does not exist`);
  const { encryption } = options;
  // Where a process was killed, its copy in the clear must not stay.
  removeAbandonedPartials(dirname(plain));
  try {
    return await copy({ kind: "make", from: resolve(databasePath), encryption, plain }, path, options);
  } finally {
    removePartial(plain);
  }
}

/** Makes the database of an instance from a backup, where there is none yet. @throws OperatorError */
export async function restoreBackup(
  from: string,
  target: RestoreTarget,
  options: ReadOptions = {},
): Promise<CopyResult> {
  const path = resolve(target.databasePath);
  const directory = dirname(path);
  requireReadable(resolve(from), options.key);
  requireEmptyTarget(path, resolve(target.dataDirectory));
  const firstCreated = mkdirSync(directory, { recursive: true, mode: 0o700 });
  try {
    const result = await copy({ kind: "restore", from: resolve(from), key: options.key }, path, options);
    for (const created of directoriesUpTo(directory, firstCreated)) syncDirectory(dirname(created));
    return result;
  } catch (error) {
    for (const created of directoriesUpTo(directory, firstCreated)) removeEmptyDirectory(created);
    throw error;
  }
}

/** Makes everything that a restore makes, and removes it again. @param directory for the file in the meantime. @throws OperatorError */
export async function verifyBackup(from: string, directory: string, options: ReadOptions = {}): Promise<CopyResult> {
  const path = resolve(from);
  requireReadable(path, options.key);
  const firstCreated = mkdirSync(directory, { recursive: true, mode: 0o700 });
  removeAbandonedPartials(directory);
  const startedAt = performance.now();
  const partial = partialPathFor(join(resolve(directory), "commonplace.db"));
  const { onStep = () => undefined, signal = new AbortController().signal } = options;
  try {
    const task: Task = { kind: "restore", from: path, key: options.key, partial };
    const report = await startBackupWorker(task, onStep, signal);
    return { path, ...report, milliseconds: Math.round(performance.now() - startedAt) };
  } finally {
    removePartial(partial);
    for (const created of directoriesUpTo(resolve(directory), firstCreated)) removeEmptyDirectory(created);
  }
}

/** Looks at the beginning, and at the end where it is not encrypted. @throws OperatorError */
function requireReadable(path: string, key: BackupKey | undefined): void {
  if (!existsSync(path)) throw new OperatorError(`the file ${path} does not exist`);
  const encrypted = isEncrypted(path);
  if (encrypted && !key) throw new OperatorError(`${path} is encrypted. Use --identity FILE or --passphrase-file FILE`);
  if (encrypted) return;
  requireBackup(path);
  if (key) throw new OperatorError(`${path} is not encrypted. Omit --identity and --passphrase-file`);
}

async function copy(task: TaskWithoutPartial, path: string, options: CopyOptions): Promise<CopyResult> {
  const { onStep = () => undefined, signal = new AbortController().signal } = options;
  const startedAt = performance.now();
  removeAbandonedPartials(dirname(path));
  const partial = partialPathFor(path);
  try {
    const report = await startBackupWorker({ ...task, partial }, onStep, signal);
    publish(partial, path);
    return { path, ...report, milliseconds: Math.round(performance.now() - startedAt) };
  } finally {
    removePartial(partial);
  }
}

/** SQLite would mistake a log next to the restored database for its own and destroy the database. */
const siblings = ["", "-wal", "-shm", "-journal"];
/** What the system puts into an empty volume, files that are being made, and the key, which may be copied first. */
const isIgnored = (name: string): boolean => name === "lost+found" || name === "instance.key" || isPartial(name);

function requireEmptyTarget(path: string, dataDirectory: string): void {
  const found = siblings.map((ending) => path + ending).find((sibling) => existsSync(sibling));
  if (found !== undefined)
    throw new OperatorError(
      `${found} already exists. A restore never overwrites data: move the existing file, or use --data DIR`,
    );
  if (dirname(path) !== dataDirectory || !existsSync(dataDirectory)) return;
  const other = readdirSync(dataDirectory).find((name) => !isIgnored(name));
  if (other !== undefined)
    throw new OperatorError(
      `the data directory ${dataDirectory} is not empty: it contains ${other}. Use --data DIR with an empty one`,
    );
}

/** The directories that were created, from the inner to the outer. */
function directoriesUpTo(inner: string, firstCreated: string | undefined): string[] {
  if (firstCreated === undefined || inner.length < firstCreated.length) return [];
  return [inner, ...directoriesUpTo(dirname(inner), firstCreated)];
}

function removeEmptyDirectory(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Something else is in it by now, so it stays.
  }
}
