// The handler of what operators see of the program.
import type { instanceOperations } from "../../contract/console/operations/instance.ts";
import { schemaVersion } from "../../platform/database/migrate.ts";
import { sourceCommit, unknownCommit, version } from "../../platform/program.ts";
import { listStartedVersions, upgradeToThis } from "../../platform/started-versions.ts";
import type { HandlersOf } from "../handler.ts";

const versionsMax = 20;

export const instanceHandlers: HandlersOf<typeof instanceOperations> = {
  getInstance: async ({ context, transaction }) => {
    const started = await listStartedVersions(transaction);
    const upgrade = upgradeToThis(started);
    const times = context.backupTimes();
    return {
      data: {
        version,
        commit: known(sourceCommit()),
        schema_version: schemaVersion,
        engine: context.config.database.engine,
        versions: started
          .slice(-versionsMax)
          .reverse()
          .map(({ source_commit, ...row }) => ({ ...row, commit: known(source_commit) })),
        upgraded_at: upgrade?.at ?? null,
        is_schema_changed: upgrade?.isSchemaChanged ?? false,
        backups: times && {
          newest_at: momentOf(times[0]),
          before_upgrade_at: upgrade ? momentOf(times.find((time) => time < Date.parse(upgrade.at))) : null,
        },
      },
    };
  },
};

const known = (commit: string): string | null => (commit === unknownCommit ? null : commit);

const momentOf = (time: number | undefined): string | null =>
  time === undefined ? null : new Date(time).toISOString();
