// A file that is being made lies beside its place under a name of its own, and moves there when it is whole: nobody ever finds half of it.
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

/** The name tells whose it is: of a process that has ended, it is only in the way. SQLite may have left a journal with it. */
const partialName = /^\.commonplace-(\d+)\.partial(?:-journal|-wal|-shm)?$/;
/** A process of that number may be another one by now, or run in another container: what nobody has written to for so long is left over too. */
const abandonedAfterMilliseconds = dayMilliseconds;

export const partialBeside = (path: string): string => join(dirname(path), `.commonplace-${process.pid}.partial`);

export const isPartial = (name: string): boolean => partialName.test(name);

export function removePartial(partial: string): void {
  for (const ending of ["", "-journal", "-wal", "-shm"]) rmSync(`${partial}${ending}`, { force: true });
}

/** Takes away what killed processes left behind. */
export function removeAbandonedPartials(directory: string): void {
  for (const name of readdirSync(directory)) {
    const owner = Number(partialName.exec(name)?.[1]);
    if (Number.isNaN(owner)) continue;
    const path = join(directory, name);
    const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    // A process makes one file after the other: at the start of one, what bears its own number is not its own.
    if (owner === process.pid || !isRunning(owner) || writtenAt < Date.now() - abandonedAfterMilliseconds)
      rmSync(path, { force: true });
  }
}

/** Gives the whole file its name, durably. @throws OperatorError when there is a file of that name: it is never replaced */
export function publish(partial: string, path: string): void {
  try {
    // Other than a rename, a link fails where there is something already.
    linkSync(partial, path);
    unlinkSync(partial);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST" || existsSync(path)) throw new OperatorError(`${path} exists already, and is not replaced`);
    if (code === "ENOENT") throw new OperatorError(`${partial} was removed while it was being made`);
    // Some file systems have no links.
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
