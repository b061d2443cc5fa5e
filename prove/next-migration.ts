// A migration that a next version could have, planted into the program: with it, the upgrade of each released database is tried before there
// is a next version. It only adds: columns, a table, an index, and rows made from the rows that are there.
import { join } from "node:path";
import type { ColumnTypes, Migration } from "../src/platform/database/migration.ts";
import type { Fault } from "./planted-fault.ts";

export const nextMigration: Migration = {
  name: "next",
  statements: ({ uuid, timestamp, boolean, clusteredTableEnd }: ColumnTypes) => [
    "alter table snippets add column next_note text",
    `alter table api_keys add column is_next ${boolean} not null default false`,
    "update snippets set next_note = title where title is not null",
    `create table next_labels (
      workspace_id ${uuid} not null references workspaces (id),
      id ${uuid} not null,
      name text not null,
      created_at ${timestamp} not null,
      primary key (workspace_id, id)
    ) ${clusteredTableEnd}`,
    "insert into next_labels select workspace_id, id, name, created_at from teams",
    "create index next_labels_by_name on next_labels (workspace_id, name)",
  ],
};

/** A program with it. The program's own list of migrations stays as it is. */
export const withNextMigration: Fault = {
  file: "src/platform/database/migrate.ts",
  find: 'import { migrations } from "./migrations/index.ts";',
  replace: `import { migrations as released } from "./migrations/index.ts";
import { nextMigration } from ${JSON.stringify(join(import.meta.dir, "next-migration.ts"))};
const migrations = [...released, nextMigration];`,
};
