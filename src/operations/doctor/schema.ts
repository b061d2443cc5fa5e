// The checks of the schema: its version, and whether everything that its migrations created is there.
import { listTables } from "../../platform/database/inspect.ts";
import { appliedVersion, schemaVersion, unfinishedCopyVersion } from "../../platform/database/migrate.ts";
import { type Check, listSome, ok, problem } from "./check.ts";
import { listSchemaParts } from "./schema.store.ts";
import type { StoredData } from "./stored-data.ts";

const notChecked = "what it holds was not checked";

export const schemaChecks: readonly Check<StoredData>[] = [
  {
    name: "schema version",
    question: "Does this program know the schema of the database?",
    remedy: "Use the program that was last used on it, or a newer one.",
    examine: async ({ engine, read }) => {
      const version = await read(async (transaction) =>
        (await listTables(transaction, engine)).includes("schema_migrations") ? appliedVersion(transaction) : 0,
      );
      if (version === 0) return ok("none yet: it is made at the first start", { isFinal: true });
      if (version === unfinishedCopyVersion)
        return problem("it holds a copy that was not finished", {
          remedy: "Remove what was copied, and run ./commonplace database copy again.",
          isFinal: true,
        });
      if (version > schemaVersion)
        return problem(`${version}, and this program knows ${schemaVersion}; ${notChecked}`, { isFinal: true });
      if (version < schemaVersion)
        return ok(`${version} of ${schemaVersion}: it is migrated at the next start; ${notChecked}`, { isFinal: true });
      return ok(`${version}, which is this program's`);
    },
  },
  {
    name: "schema",
    question: "Are all tables, columns and indexes of this version there?",
    remedy: "Restore a backup. An index can be made again by its statement in src/platform/database/migrations.",
    examine: async ({ engine, tables, read }) => {
      const existing = await read((transaction) => listSchemaParts(transaction, engine));
      const expected = tables.flatMap((table) => [
        ...table.columns.map((column) => `${table.name}.${column.name}`),
        ...table.indexes,
      ]);
      const missing = expected.filter((part) => !existing.has(part));
      return missing.length > 0
        ? problem(`missing: ${listSome(missing)}`, { isFinal: true })
        : ok(`${tables.length} tables with their columns and indexes`);
    },
  },
];
