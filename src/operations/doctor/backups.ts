// The check of scheduled backups.

import type { BackupEncryption, Config } from "../../config.ts";
import { hourMilliseconds } from "../../platform/time.ts";
import { readPassphrase } from "../backup/encryption.ts";
import { newestBackup } from "../backup/schedule.ts";
import { type Check, ok, warning } from "./check.ts";

export const backupChecks: readonly Check<Config>[] = [
  {
    name: "backups",
    question: "Is there a recent backup?",
    remedy: 'Start the service, and search its log for "job failed" lines for the "backups" job.',
    examine: ({ backup, backupEncryption, database }) => {
      if (database.engine === "postgres")
        return ok(
          "not checked. Back up PostgreSQL with pg_dump or continuous archiving: see /docs/operate/backup on the service",
        );
      if (!backup)
        return warning("no scheduled backups", {
          remedy:
            "Set COMMONPLACE_BACKUP_DIRECTORY, ideally to a directory on another disk. If you run ./commonplace backup on your own schedule, ignore this.",
        });
      const newest = newestBackup(backup.directory, Date.now());
      if (newest === undefined) return warning(`no backup in ${backup.directory}`);
      const hours = Math.floor((Date.now() - newest) / hourMilliseconds);
      const message = `the newest backup is ${hours} ${hours === 1 ? "hour" : "hours"} old; backups are scheduled every ${backup.everyHours} h and are ${describeEncryption(backupEncryption)}`;
      // A failed backup is tried again after an hour.
      return hours > backup.everyHours + 1 ? warning(message) : ok(message);
    },
  },
];

/** @throws OperatorError where the passphrase cannot be used */
export function describeEncryption(encryption: BackupEncryption | undefined): string {
  if (!encryption) return "not encrypted";
  if (encryption.kind === "recipients")
    return `encrypted for ${encryption.recipients.length} public ${encryption.recipients.length === 1 ? "key" : "keys"}`;
  readPassphrase(encryption.path);
  return "encrypted with a passphrase";
}
