// The parts of the stored schema, as each engine lists them.
import type { Transaction } from "../../platform/database/database.ts";
import type { DatabaseLocation } from "../../platform/database/location.ts";
import { sql } from "../../platform/database/sql.ts";

/** Columns as `table.column`, and the names of indexes. */
export async function listSchemaParts(
  transaction: Transaction,
  engine: DatabaseLocation["engine"],
): Promise<Set<string>> {
  const rows = await transaction.all<{ part: string }>(
    engine === "postgres"
      ? sql`select table_name || '.' || column_name as part from information_schema.columns
              where table_schema = current_schema()
            union all select indexname as part from pg_indexes where schemaname = current_schema()`
      : sql`select t.name || '.' || c.name as part from sqlite_schema t, pragma_table_info(t.name) c
              where t.type = 'table'
            union all select name as part from sqlite_schema where type = 'index'`,
  );
  return new Set(rows.map(({ part }) => part));
}
