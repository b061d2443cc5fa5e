// Backups of an SQLite database that is in use, and the way back from one.
import { existsSync, mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { requireDatabaseFile } from "../../platform/database/sqlite.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { requireBackup } from "./checksum-trailer.ts";
import { isPartial, partialBeside, publish, removeAbandonedPartials, removePartial, syncDirectory } from "./partial.ts";
import { type Made, runChild, type Step } from "./worker.ts";

export interface Attention {
  readonly onStep?: (step: Step) => void;
  /** Ends the work, which then leaves nothing behind. */
  readonly signal?: AbortSignal;
}

/** Where an instance keeps its database. */
export interface Place {
  readonly dataDirectory: string;
  readonly databasePath: string;
}

/** What was made, and how long it took. */
export interface Result extends Made {
  readonly path: string;
  readonly milliseconds: number;
}

/** Writes a consistent copy of the database of this moment to a new file. @throws OperatorError, DatabaseUnusable */
export async function makeBackup(databasePath: string, to: string, attention: Attention = {}): Promise<Result> {
  const path = resolve(to);
  requireDatabaseFile(databasePath);
  if (existsSync(path)) throw new OperatorError(`${path} exists already, and is not replaced`);
  if (!existsSync(dirname(path))) throw new OperatorError(`there is no directory ${dirname(path)}`);
  return make("make", resolve(databasePath), path, attention);
}

/** Makes an instance's database from a backup, where there is none. @throws OperatorError */
export async function restoreBackup(from: string, place: Place, attention: Attention = {}): Promise<Result> {
  const path = resolve(place.databasePath);
  const directory = dirname(path);
  if (!existsSync(from)) throw new OperatorError(`there is no file ${resolve(from)}`);
  requireBackup(resolve(from));
  requireNothingThere(path, resolve(place.dataDirectory));
  const firstMade = mkdirSync(directory, { recursive: true, mode: 0o700 });
  try {
    const result = await make("restore", resolve(from), path, attention);
    for (const made of directoriesUpTo(directory, firstMade)) syncDirectory(dirname(made));
    return result;
  } catch (error) {
    for (const made of directoriesUpTo(directory, firstMade)) removeEmptyDirectory(made);
    throw error;
  }
}

async function make(kind: "make" | "restore", from: string, path: string, attention: Attention): Promise<Result> {
  const { onStep = () => undefined, signal = new AbortController().signal } = attention;
  const startedAt = performance.now();
  removeAbandonedPartials(dirname(path));
  const partial = partialBeside(path);
  try {
    const made = await runChild({ kind, from, partial }, onStep, signal);
    publish(partial, path);
    return { path, ...made, milliseconds: Math.round(performance.now() - startedAt) };
  } finally {
    removePartial(partial);
  }
}

/** A log of another database beside the restored one would be taken for its own, and destroy it. */
const siblings = ["", "-wal", "-shm", "-journal"];
/** What the system itself puts into an empty volume. */
const isNothing = (name: string): boolean => name === "lost+found" || isPartial(name);

function requireNothingThere(path: string, dataDirectory: string): void {
  const found = siblings.map((ending) => path + ending).find((sibling) => existsSync(sibling));
  if (found !== undefined)
    throw new OperatorError(
      `${found} exists already: a restore never touches live data; move it away, or give --data DIR`,
    );
  if (dirname(path) !== dataDirectory || !existsSync(dataDirectory)) return;
  const other = readdirSync(dataDirectory).find((name) => !isNothing(name));
  if (other !== undefined)
    throw new OperatorError(`the data directory ${dataDirectory} is not empty, ${other} lies in it: give --data DIR`);
}

/** From the inner to the outer, which is the first that had to be made; none when none had to. */
function directoriesUpTo(inner: string, firstMade: string | undefined): string[] {
  if (firstMade === undefined || inner.length < firstMade.length) return [];
  return [inner, ...directoriesUpTo(dirname(inner), firstMade)];
}

function removeEmptyDirectory(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Somebody else has put something there: it stays.
  }
}
