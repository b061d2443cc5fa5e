// The schema: of which version it is, and whether everything that its migrations made is still there.

import type { Transaction } from "../../platform/database/database.ts";
import { listTables } from "../../platform/database/inspect.ts";
import { appliedVersion, schemaVersion, unfinishedCopyVersion } from "../../platform/database/migrate.ts";
import { sql } from "../../platform/database/sql.ts";
import { type Check, ok, problem, some } from "./check.ts";
import type { StoredData } from "./stored-data.ts";

const notChecked = "what it holds was not checked";

export const schemaChecks: readonly Check<StoredData>[] = [
  {
    name: "schema version",
    asks: "Does this program know the schema of the database?",
    mend: "Use the program that was last used on it, or a newer one.",
    examine: async ({ engine, look }) => {
      const version = await look(async (transaction) =>
        (await listTables(transaction, engine)).includes("schema_migrations") ? appliedVersion(transaction) : 0,
      );
      if (version === 0) return ok("none yet: it is made at the first start", { isEnd: true });
      if (version === unfinishedCopyVersion)
        return problem("it holds a copy that was not finished", {
          mend: "Remove what was copied, and run ./commonplace database copy again.",
          isEnd: true,
        });
      if (version > schemaVersion)
        return problem(`${version}, and this program knows ${schemaVersion}; ${notChecked}`, { isEnd: true });
      if (version < schemaVersion)
        return ok(`${version} of ${schemaVersion}: it is migrated at the next start; ${notChecked}`, { isEnd: true });
      return ok(`${version}, which is this program's`);
    },
  },
  {
    name: "schema",
    asks: "Are all tables, columns and indexes of this version there?",
    mend: "Restore a backup. An index can be made again by its statement in src/database/migrations.",
    examine: async ({ engine, tables, look }) => {
      const there = new Set(await look(engine === "postgres" ? listPostgresParts : listSqliteParts));
      const wanted = tables.flatMap((table) => [
        ...table.columns.map((column) => `${table.name}.${column.name}`),
        ...table.indexes,
      ]);
      const missing = wanted.filter((part) => !there.has(part));
      return missing.length > 0
        ? problem(`missing: ${some(missing)}`, { isEnd: true })
        : ok(`${tables.length} tables with their columns and indexes`);
    },
  },
];

/** Columns as `table.column`, and indexes. */
const listSqliteParts = (transaction: Transaction): Promise<string[]> =>
  names(
    transaction.all(sql`select t.name || '.' || c.name as part from sqlite_schema t, pragma_table_info(t.name) c
      where t.type = 'table' union all select name as part from sqlite_schema where type = 'index'`),
  );

const listPostgresParts = (transaction: Transaction): Promise<string[]> =>
  names(
    transaction.all(sql`select table_name || '.' || column_name as part from information_schema.columns
      where table_schema = current_schema()
      union all select indexname as part from pg_indexes where schemaname = current_schema()`),
  );

const names = async (rows: Promise<{ part: string }[]>): Promise<string[]> => (await rows).map(({ part }) => part);
