// When each version of the program first served the database, so that a backup from before an upgrade can be told from one after it.
import type { Database, Transaction } from "./database/database.ts";
import { schemaVersion } from "./database/migrate.ts";
import { sql } from "./database/sql.ts";
import { sourceCommit, version } from "./program.ts";

export interface StartedVersion {
  readonly version: string;
  readonly source_commit: string;
  readonly schema_version: number;
  readonly first_started_at: string;
}

/** The upgrade to this version. */
export interface Upgrade {
  readonly from: StartedVersion;
  readonly at: string;
  readonly isSchemaChanged: boolean;
}

/** Records that this version serves the database, unless it did before. */
export const recordStart = (database: Database): Promise<number> =>
  database.transaction((transaction) =>
    transaction.run(
      sql`insert into started_versions (version, source_commit, schema_version, first_started_at)
          values (${version}, ${sourceCommit()}, ${schemaVersion}, ${transaction.now})
          on conflict (version, source_commit) do nothing`,
    ),
  );

/** Oldest first. */
export const listStartedVersions = (transaction: Transaction): Promise<StartedVersion[]> =>
  transaction.all<StartedVersion>(
    sql`select version, source_commit, schema_version, first_started_at from started_versions
        order by first_started_at, version, source_commit`,
  );

/** When this version first served the database; undefined if it did not yet. */
export const thisVersion = (started: readonly StartedVersion[]): StartedVersion | undefined => started.find(isThis);

/** Undefined if no other version served the database before this one. */
export function upgradeToThis(started: readonly StartedVersion[]): Upgrade | undefined {
  const place = started.findIndex(isThis);
  const [from, to] = [started[place - 1], started[place]];
  return from && to && { from, at: to.first_started_at, isSchemaChanged: from.schema_version !== to.schema_version };
}

const isThis = (row: StartedVersion): boolean => row.version === version && row.source_commit === sourceCommit();
