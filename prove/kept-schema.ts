// Databases as an earlier version left them: its schema as the statements that made it, on both engines, and rows of every table. From the
// first release on, one of each released schema is kept in test/fixtures/schemas (npm run keep-schema), and none is ever changed.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { migrations } from "../src/platform/database/migrations/index.ts";
import { dialect } from "../src/platform/database/postgres.ts";
import { readSchema } from "../src/platform/database/schema.ts";
import { columnTypes } from "../src/platform/database/sqlite.ts";
import { type Connection, engine, type Parameter } from "../test/support/engine.ts";
import { fillInstance } from "../test/support/filled.ts";

const dialects = { sqlite: columnTypes, postgres: dialect };

type Value = Exclude<Parameter, boolean>;

interface KeptTable {
  readonly name: string;
  readonly kinds: Readonly<Record<string, string>>;
  /** Columns that refer to another row of the table. */
  readonly parents: readonly string[];
  readonly rows: readonly Readonly<Record<string, Value>>[];
}

export interface Kept {
  /** The release, or what the schema stands for. */
  readonly name: string;
  /** The number of its newest migration. */
  readonly version: number;
  readonly migrations: readonly string[];
  readonly statements: { readonly sqlite: readonly string[]; readonly postgres: readonly string[] };
  /** In an order in which they can be filled. */
  readonly tables: readonly KeptTable[];
}

export const keptDirectory = join(import.meta.dir, "../test/fixtures/schemas");

/** The databases of all releases. */
export const readKept = (): Kept[] =>
  readdirSync(keptDirectory)
    .filter((name) => name.endsWith(".json.gz"))
    .sort()
    .map((name) => JSON.parse(gunzipSync(readFileSync(join(keptDirectory, name))).toString()) as Kept);

/** The rows of an instance with something in every table. */
export async function fillTables(directory: string): Promise<readonly KeptTable[]> {
  await fillInstance(directory);
  const connection = await engine.connect(directory);
  try {
    const tables: KeptTable[] = [];
    for (const { name, columns, parents } of readSchema()) {
      const names = columns.map((column) => column.name);
      const rows = await connection.rows<Record<string, Value>>(`select ${names.join(", ")} from ${name}`);
      tables.push({
        name,
        kinds: Object.fromEntries(columns.map((column) => [column.name, column.kind])),
        parents,
        rows,
      });
    }
    return tables;
  } finally {
    await connection.close();
  }
}

/** A database as this version leaves it, if it ends with migration number `version`. */
export const keptOf = (name: string, version: number, tables: readonly KeptTable[]): Kept => ({
  name,
  version,
  migrations: migrations.slice(0, version).map((migration) => migration.name),
  statements: {
    sqlite: migrations.slice(0, version).flatMap((migration) => migration.statements(dialects.sqlite)),
    postgres: migrations.slice(0, version).flatMap((migration) => migration.statements(dialects.postgres)),
  },
  tables,
});

/** Makes the database of a new data directory as it was. */
export async function loadKept(kept: Kept, connection: Connection): Promise<void> {
  const { timestamp, tableEnd } = dialects[engine.name];
  await connection.run("begin");
  await connection.run(`create table schema_migrations (
    version integer primary key, name text not null, applied_at ${timestamp} not null) ${tableEnd}`);
  for (const statement of kept.statements[engine.name]) await connection.run(statement);
  for (const [index, name] of kept.migrations.entries())
    await connection.run("insert into schema_migrations values (?, ?, ?)", index + 1, name, "2026-01-01T00:00:00.000Z");
  for (const table of kept.tables) for (const row of inOrder(table)) await insert(connection, table, row);
  await connection.run("commit");
}

async function insert(
  connection: Connection,
  { name, kinds }: KeptTable,
  row: Readonly<Record<string, Value>>,
): Promise<void> {
  const columns = Object.keys(row);
  const isServer = engine.name === "postgres";
  const values = Object.entries(row).map(([column, value]) =>
    isServer && kinds[column] === "boolean" && value !== null ? Boolean(value) : value,
  );
  await connection.run(
    `insert into ${name} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`,
    ...values,
  );
}

/** A row after those of the same table that it refers to. */
function inOrder({ rows, parents }: KeptTable): readonly Readonly<Record<string, Value>>[] {
  const [waiting, placed, ids] = [[...rows], [] as (typeof rows)[number][], new Set<Value>()];
  while (waiting.length > 0) {
    const ready = waiting.findIndex((row) => parents.every((parent) => row[parent] == null || ids.has(row[parent])));
    if (ready < 0) throw new Error("rows refer to each other");
    for (const row of waiting.splice(ready, 1)) {
      placed.push(row);
      if (parents.length > 0) ids.add(row.id ?? null);
    }
  }
  return placed;
}

const schemaOf = {
  sqlite: [
    "select type, name, tbl_name, sql from sqlite_schema where name not like 'sqlite^_%' escape '^' order by type, name",
  ],
  postgres: [
    `select c.relname, a.attname, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull, a.attstattarget, a.attoptions::text as options,
       (select collname from pg_collation where oid = a.attcollation) as collation, pg_get_expr(d.adbin, d.adrelid) as default_value
     from pg_class c join pg_attribute a on a.attrelid = c.oid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
     order by c.relname, a.attnum`,
    `select conrelid::regclass::text as on_table, conname, pg_get_constraintdef(oid) as definition from pg_constraint
     where connamespace = current_schema()::regnamespace order by 1, 2`,
    "select tablename, indexname, indexdef from pg_indexes where schemaname = current_schema() order by tablename, indexname",
  ],
};

/** The schema as the engine describes it. */
export async function dumpSchema({ rows }: Connection): Promise<string> {
  const found = [];
  for (const query of schemaOf[engine.name]) found.push(...(await rows(query)));
  found.push(...(await rows("select version, name from schema_migrations order by version")));
  // SQLite keeps the text of a statement as it was written.
  return found.map((row) => JSON.stringify(row).replaceAll(/(\\n|\s)+/g, " ")).join("\n");
}

/** The kept rows as they are now, or what became of them. */
export async function dumpRows({ rows }: Connection, { tables }: Pick<Kept, "tables">): Promise<string> {
  const found: string[] = [];
  for (const { name, kinds } of tables) {
    const all = await rows(`select ${Object.keys(kinds).join(", ")} from ${name}`);
    found.push(name, ...all.map((row) => JSON.stringify(row)).sort());
  }
  return found.join("\n");
}
