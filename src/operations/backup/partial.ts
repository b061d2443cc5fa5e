// A file that is being made has a temporary name next to its final path and is moved there when it is complete, so half a file is never found.
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { OperatorError } from "../../platform/operator-error.ts";
import { dayMilliseconds } from "../../platform/time.ts";

/** The number is the id of the process that makes it. SQLite may have left a journal next to it. */
const partialName = /^\.commonplace-(\d+)\.(?:plain|partial)(?:-journal|-wal|-shm)?$/;
/** The process id may belong to another process by now, or to another container: a file without writes for this long is abandoned too. */
const abandonedAfterMilliseconds = dayMilliseconds;

export const partialPathFor = (path: string): string => join(dirname(path), `.commonplace-${process.pid}.partial`);

/** Where a copy is until it is encrypted: beside the database itself, so that no text reaches the directory of the backups in the clear. */
export const plainPathFor = (databasePath: string): string =>
  join(dirname(databasePath), `.commonplace-${process.pid}.plain`);

export const isPartial = (name: string): boolean => partialName.test(name);

export function removePartial(partial: string): void {
  for (const ending of ["", "-journal", "-wal", "-shm"]) rmSync(`${partial}${ending}`, { force: true });
}

/** Removes what killed processes left behind. */
export function removeAbandonedPartials(directory: string): void {
  for (const name of readdirSync(directory)) {
    const owner = Number(partialName.exec(name)?.[1]);
    if (Number.isNaN(owner)) continue;
    const path = join(directory, name);
    const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    // A process makes one file at a time, so at the start, a file with its own id is not in use.
    if (owner === process.pid || !isRunning(owner) || writtenAt < Date.now() - abandonedAfterMilliseconds)
      rmSync(path, { force: true });
  }
}

/** Gives the complete file its final name, durably. @throws OperatorError if that name is taken: a file is never replaced */
export function publish(partial: string, path: string): void {
  try {
    // Unlike a rename, a link fails if the name is taken.
    linkSync(partial, path);
    unlinkSync(partial);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST" || existsSync(path))
      throw new OperatorError(`${path} already exists and was not overwritten`);
    if (code === "ENOENT") throw new OperatorError(`${partial} was removed while it was being written`);
    // Some file systems do not support links.
    renameSync(partial, path);
  }
  syncDirectory(dirname(path));
}

export function syncDirectory(path: string): void {
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // A process of another user runs too.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
