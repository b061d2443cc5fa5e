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
