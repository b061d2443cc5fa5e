// The version of the program, and whether there is a way back from the upgrade to it.
import type { Config } from "../../config.ts";
import { schemaVersion } from "../../platform/database/migrate.ts";
import { describeProgram, describeVersion } from "../../platform/program.ts";
import { listStartedVersions, thisVersion, type Upgrade, upgradeToThis } from "../../platform/started-versions.ts";
import { dayMilliseconds } from "../../platform/time.ts";
import { backupTimes } from "../backup/schedule.ts";
import { formatMoment } from "../format.ts";
import { type Check, ok, type Verdict, warning } from "./check.ts";
import type { StoredData } from "./stored-data.ts";

export const versionChecks: readonly Check<Config>[] = [
  {
    name: "version",
    question: "Which version of Commonplace is this?",
    remedy: "",
    examine: () => ok(`${describeProgram()}, with schema version ${schemaVersion}`),
  },
];

export const upgradeChecks: readonly Check<StoredData>[] = [
  {
    name: "upgrade",
    question: "Is there a backup from before the upgrade to this version?",
    remedy: "Create a backup before each upgrade: see /docs/operate/upgrading on the service.",
    examine: async ({ config, read }) => {
      const started = await read(listStartedVersions);
      const since = thisVersion(started)?.first_started_at;
      if (since === undefined) return ok("this version has not served the database yet");
      const upgrade = upgradeToThis(started);
      return upgrade
        ? examineUpgrade(upgrade, config)
        : ok(`none yet: this version is the first on this database, since ${formatMoment(since)}`);
    },
  },
];

/** Later, going back would lose too much. */
const warnedDays = 7;

function examineUpgrade({ from, at, isSchemaChanged }: Upgrade, { backup, database }: Config): Verdict {
  const upgraded = `upgraded from ${describeVersion(from.version, from.source_commit)} on ${formatMoment(at)}`;
  if (!isSchemaChanged) return ok(`${upgraded}; the schema is the same, so you can go back without a backup`);
  if (database.engine === "postgres")
    return ok(`${upgraded}; to go back, you need a backup from before. Backups of PostgreSQL are not checked`);
  if (!backup) return ok(`${upgraded}; to go back, you need a backup from before. There are no scheduled backups`);
  const time = backupTimes(backup.directory, Date.parse(at) - 1)[0];
  if (time !== undefined)
    return ok(`${upgraded}; the newest backup from before is of ${formatMoment(new Date(time).toISOString())}`);
  const isRecent = Date.now() - Date.parse(at) < warnedDays * dayMilliseconds;
  return (isRecent ? warning : ok)(`${upgraded}; there is no backup from before in ${backup.directory}`);
}
