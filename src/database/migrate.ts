// Brings a database to the schema that this version knows: each migration once, in order, in one transaction with its record.
import { type Database, DatabaseUnusable, type Transaction } from "./database.ts";
import type { ColumnTypes } from "./migration.ts";
import { migrations } from "./migrations/index.ts";
import { Sql, sql } from "./sql.ts";

/** The number of the newest migration that this version knows. */
export const schemaVersion = migrations.length;

/** @throws DatabaseUnusable when the database was made by a newer version. */
export async function migrate(database: Database, types: ColumnTypes): Promise<void> {
  await database.transaction(async (transaction) => {
    const execute = (text: string) => transaction.run(new Sql([text], []));
    await execute(`create table if not exists schema_migrations (
      version integer primary key, name text not null, applied_at ${types.timestamp} not null) ${types.tableEnd}`);
    const applied = await appliedVersion(transaction);
    if (applied > schemaVersion)
      throw new DatabaseUnusable(
        `the database has schema version ${applied}, this program knows ${schemaVersion}: it was used by a newer version`,
      );
    for (const [index, migration] of migrations.entries()) {
      if (index < applied) continue;
      for (const statement of migration.statements(types)) await execute(statement);
      await transaction.run(
        sql`insert into schema_migrations (version, name, applied_at)
            values (${index + 1}, ${migration.name}, ${transaction.now})`,
      );
    }
  });
}

async function appliedVersion(transaction: Transaction): Promise<number> {
  const row = await transaction.first<{ version: number | null }>(
    sql`select max(version) as version from schema_migrations`,
  );
  return Number(row?.version ?? 0);
}
