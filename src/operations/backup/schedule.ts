// Scheduled backups: one every N hours in a directory, which keeps the newest.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { BackupEncryption, BackupSettings } from "../../config.ts";
import type { Clock } from "../../platform/database/database.ts";
import type { Job } from "../../platform/jobs.ts";
import { describeForOperator } from "../../platform/operator-error.ts";
import { hourMilliseconds, hourSeconds } from "../../platform/time.ts";
import { makeBackup } from "./backup.ts";

export interface BackupTarget {
  readonly settings: BackupSettings;
  readonly encryption?: BackupEncryption | undefined;
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
    describeFailure: describeForOperator,
  };
}

async function backUp({ settings, encryption, databasePath }: BackupTarget, now: number, signal: AbortSignal) {
  mkdirSync(settings.directory, { recursive: true, mode: 0o700 });
  const name = `${nameOf(now)}${encryption ? encryptedEnding : ""}`;
  const { path, bytes } = await makeBackup(databasePath, join(settings.directory, name), { signal, encryption });
  return { path, bytes, removed: removeOld(settings.directory, name, settings.keep) };
}

const encryptedEnding = ".age";
const backupName = /^commonplace-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db(?:\.age)?$/;

/** commonplace-20260315T120000Z.db: the order of the names is the order of time. */
const nameOf = (milliseconds: number): string =>
  `commonplace-${new Date(milliseconds).toISOString().replace(/[-:]|\.\d+/g, "")}.db`;

/** Newest first. */
const backupsIn = (directory: string): string[] =>
  readdirSync(directory)
    .filter((name) => backupName.test(name))
    .sort()
    .reverse();

/** When the backups were made, newest first. A future timestamp comes from a wrong clock and is ignored. */
export function backupTimes(directory: string, now: number): number[] {
  try {
    const times = backupsIn(directory).map((name) => Date.parse(name.replace(backupName, "$1-$2-$3T$4:$5:$6Z")));
    return times.filter((time) => time <= now);
  } catch {
    // There is no directory yet, or it cannot be read; the first backup reports it.
    return [];
  }
}

export const newestBackup = (directory: string, now: number): number | undefined => backupTimes(directory, now)[0];

/** Removes all but the newest and the one just made. */
function removeOld(directory: string, made: string, keep: number): number {
  const old = backupsIn(directory)
    .filter((name) => name !== made)
    .slice(keep - 1);
  for (const name of old) rmSync(join(directory, name), { force: true });
  return old.length;
}
