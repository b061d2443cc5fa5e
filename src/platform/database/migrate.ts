// Brings a database to the schema of this version: each migration once, in order, all in one transaction.
import { type Database, DatabaseUnusable, type Transaction } from "./database.ts";
import type { Dialect } from "./migration.ts";
import { migrations } from "./migrations/index.ts";
import { Sql, sql } from "./sql.ts";

/** The number of the newest migration that this version knows. */
export const schemaVersion = migrations.length;

/**
 * Recorded as a migration while a copy into the database is unfinished: a version that no program will ever know, so that none, older
 * ones included, serves half a copy.
 */
export const unfinishedCopyVersion = 1_000_000_000;

/** Told before and after a step of the start that may take long on a large database. */
export type OnStep = (step: string, fields: Readonly<Record<string, unknown>>) => void;

/** @throws DatabaseUnusable when the database was made by a newer version, or holds a copy that was cut off. */
export async function migrate(database: Database, dialect: Dialect, onStep?: OnStep): Promise<void> {
  await database.transaction(async (transaction) => {
    const execute = (text: string) => transaction.run(new Sql([text], []));
    if (dialect.migrationLock) await execute(dialect.migrationLock);
    await execute(`create table if not exists schema_migrations (
      version integer primary key, name text not null, applied_at ${dialect.timestamp} not null) ${dialect.tableEnd}`);
    const applied = await appliedVersion(transaction);
    if (applied === unfinishedCopyVersion)
      throw new DatabaseUnusable("the database contains an unfinished copy. Empty it and copy again");
    if (applied > schemaVersion)
      throw new DatabaseUnusable(
        `the database has schema version ${applied}, but this program supports up to ${schemaVersion}. Use the version of Commonplace that last used it, or a newer one`,
      );
    for (const [index, migration] of migrations.entries()) {
      if (index < applied) continue;
      const version = index + 1;
      const onMigration = applied > 0 ? onStep : undefined;
      onMigration?.("migrating the database", { version, name: migration.name });
      const startedAt = performance.now();
      for (const statement of migration.statements(dialect)) await execute(statement);
      await transaction.run(
        sql`insert into schema_migrations (version, name, applied_at)
            values (${version}, ${migration.name}, ${transaction.now})`,
      );
      onMigration?.("migrated", { version, durationMilliseconds: Math.round(performance.now() - startedAt) });
    }
  });
}

/** @throws DatabaseUnusable when no service was ever started on the database; only for engines that have schemas */
export async function requireSchema(database: Database): Promise<void> {
  const isThere = await database.read(async (transaction) => {
    const row = await transaction.first<{ name: string | null }>(
      sql`select to_regclass('schema_migrations')::text as name`,
    );
    return row?.name != null;
  });
  if (!isThere) throw new DatabaseUnusable("it contains no Commonplace data yet. Start the service first");
}

/** The number of the newest migration that was applied, 0 where there is none. */
export async function appliedVersion(transaction: Transaction): Promise<number> {
  const row = await transaction.first<{ version: number | null }>(
    sql`select max(version) as version from schema_migrations`,
  );
  return row?.version ?? 0;
}
