// The checks of the schema: its version, and whether everything that its migrations created is there.
import { listTables } from "../../platform/database/inspect.ts";
import { appliedVersion, schemaVersion, unfinishedCopyVersion } from "../../platform/database/migrate.ts";
import { type Check, listSome, ok, problem } from "./check.ts";
import { listSchemaParts } from "./schema.store.ts";
import type { StoredData } from "./stored-data.ts";

const notChecked = "its data was not checked";

export const schemaChecks: readonly Check<StoredData>[] = [
  {
    name: "schema version",
    question: "Does this version of Commonplace support the schema?",
    remedy: "Use the version of Commonplace that last used this database, or a newer one.",
    examine: async ({ engine, read }) => {
      const version = await read(async (transaction) =>
        (await listTables(transaction, engine)).includes("schema_migrations") ? appliedVersion(transaction) : 0,
      );
      if (version === 0) return ok("none yet: it will be created on first startup", { isFinal: true });
      if (version === unfinishedCopyVersion)
        return problem("the database contains an unfinished copy", {
          remedy: "Empty the database, then run ./commonplace database copy again.",
          isFinal: true,
        });
      if (version > schemaVersion)
        return problem(`version ${version}, but this program supports up to ${schemaVersion}; ${notChecked}`, {
          isFinal: true,
        });
      if (version < schemaVersion)
        return ok(`version ${version} of ${schemaVersion}: it will be migrated at the next startup; ${notChecked}`, {
          isFinal: true,
        });
      return ok(`version ${version}, up to date`);
    },
  },
  {
    name: "schema",
    question: "Do all tables, columns, and indexes exist?",
    remedy: "Restore a backup. To recreate only an index, run its statement in src/platform/database/migrations.",
    examine: async ({ engine, tables, read }) => {
      const existing = await read((transaction) => listSchemaParts(transaction, engine));
      const expected = tables.flatMap((table) => [
        ...table.columns.map((column) => `${table.name}.${column.name}`),
        ...table.indexes,
      ]);
      const missing = expected.filter((part) => !existing.has(part));
      return missing.length > 0
        ? problem(`missing: ${listSome(missing)}`, { isFinal: true })
        : ok(`all ${tables.length} tables with their columns and indexes`);
    },
  },
];
