// Backups by the clock: every so many hours one more in a directory, of which the newest are kept.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { BackupSettings } from "../../config.ts";
import { type Clock, DatabaseUnusable } from "../../platform/database/database.ts";
import type { Job } from "../../platform/jobs.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { hourMilliseconds, hourSeconds } from "../../platform/time.ts";
import { makeBackup } from "./backup.ts";

export interface BackupTarget {
  readonly settings: BackupSettings;
  readonly databasePath: string;
  readonly clock: Clock;
}

/** The job that makes backups: due when the newest one in the directory is old enough; one that failed is tried again after an hour. */
export function backupJob(target: BackupTarget): Job {
  const { settings, clock } = target;
  const everyMilliseconds = settings.everyHours * hourMilliseconds;
  let dueAt = (newestBackup(settings.directory, clock()) ?? Number.NEGATIVE_INFINITY) + everyMilliseconds;
  return {
    name: "backups",
    everySeconds: settings.everyHours * hourSeconds,
    firstAfterSeconds: 0,
    lock: "none",
    due: { isDue: () => dueAt <= clock(), askedEverySeconds: hourSeconds },
    run: async ({ signal }) => {
      const now = clock();
      dueAt = now + hourMilliseconds;
      const fields = await backUp(target, now, signal);
      dueAt = now + everyMilliseconds;
      return fields;
    },
    describeFailure: describe,
  };
}

async function backUp({ settings, databasePath }: BackupTarget, now: number, signal: AbortSignal) {
  mkdirSync(settings.directory, { recursive: true, mode: 0o700 });
  const name = nameOf(now);
  const { path, bytes } = await makeBackup(databasePath, join(settings.directory, name), { signal });
  return { path, bytes, removed: removeOld(settings.directory, name, settings.keep) };
}

const backupName = /^commonplace-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/;

/** commonplace-20260315T120000Z.db: the order of the names is the order of time. */
const nameOf = (milliseconds: number): string =>
  `commonplace-${new Date(milliseconds).toISOString().replace(/[-:]|\.\d+/g, "")}.db`;

/** Newest first. */
const backupsIn = (directory: string): string[] =>
  readdirSync(directory)
    .filter((name) => backupName.test(name))
    .sort()
    .reverse();

/** When the newest backup was made. One of a time that has not come was made by a wrong clock, and nobody waits for that time. */
export function newestBackup(directory: string, now: number): number | undefined {
  try {
    const times = backupsIn(directory).map((name) => Date.parse(name.replace(backupName, "$1-$2-$3T$4:$5:$6Z")));
    return times.find((time) => time <= now);
  } catch {
    // There is no directory yet; or it can not be read, which the first backup will say.
    return undefined;
  }
}

/** Removes all but the newest and the one just made. */
function removeOld(directory: string, made: string, keep: number): number {
  const old = backupsIn(directory)
    .filter((name) => name !== made)
    .slice(keep - 1);
  for (const name of old) rmSync(join(directory, name), { force: true });
  return old.length;
}

/** What an operator can act on is a line; of a defect, the place in the code is told too. */
const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const isExpected = error instanceof OperatorError || error instanceof DatabaseUnusable || "syscall" in error;
  return isExpected ? error.message : (error.stack ?? error.message);
};
