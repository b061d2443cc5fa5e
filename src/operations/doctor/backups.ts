// The check of scheduled backups.

import type { Config } from "../../config.ts";
import { hourMilliseconds } from "../../platform/time.ts";
import { newestBackup } from "../backup/schedule.ts";
import { type Check, ok, warning } from "./check.ts";

export const backupChecks: readonly Check<Config>[] = [
  {
    name: "backups",
    question: "Is the newest backup as young as the schedule wants it?",
    remedy: "Start the service, and look for 'job failed' with the job 'backups' in its log.",
    examine: ({ backup, database }) => {
      if (database.engine === "postgres") return ok("PostgreSQL is backed up with pg_dump: docs/hosting.md");
      if (!backup) return ok("no schedule is set");
      const newest = newestBackup(backup.directory, Date.now());
      if (newest === undefined) return warning(`there is none in ${backup.directory}`);
      const hours = Math.floor((Date.now() - newest) / hourMilliseconds);
      const message = `the newest is ${hours} ${hours === 1 ? "hour" : "hours"} old, one is made every ${backup.everyHours}`;
      // A failed backup is tried again after an hour.
      return hours > backup.everyHours + 1 ? warning(message) : ok(message);
    },
  },
];
