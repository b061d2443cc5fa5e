// The tables, read from the migrations themselves, so that no list of tables can become outdated.
import { Database as Connection } from "bun:sqlite";
import type { ColumnTypes } from "./migration.ts";
import { migrations } from "./migrations/index.ts";

export type Kind = "uuid" | "text" | "timestamp" | "boolean" | "integer" | "bigint";

export interface Column {
  readonly name: string;
  readonly kind: Kind;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** The columns that refer to another row of the same table. */
  readonly parents: readonly string[];
  /** The indexes that have a name of their own. */
  readonly indexes: readonly string[];
}

/** All tables but the list of migrations. One that refers to another comes after it. */
export function readSchema(): readonly Table[] {
  const connection = new Connection(":memory:");
  try {
    for (const migration of migrations)
      for (const statement of migration.statements(namedTypes)) connection.run(statement);
    return inOrder(
      namesOf(connection, "type = 'table' and name not like 'sqlite^_%' escape '^'").map((name) =>
        readTable(connection, name),
      ),
    );
  } finally {
    connection.close();
  }
}

/** Tables that are not STRICT accept any word as a type and return it. */
const namedTypes: ColumnTypes = {
  uuid: "uuid",
  timestamp: "timestamp",
  boolean: "boolean",
  bigint: "bigint",
  orderedText: "text",
  tableEnd: "",
  clusteredTableEnd: "",
  isShared: false,
};

type Referring = Table & { readonly references: readonly string[] };

function readTable(connection: Connection, name: string): Referring {
  const columns = connection
    .query<{ name: string; type: string; pk: number }, [string]>("select name, type, pk from pragma_table_info(?)")
    .all(name);
  const references = connection
    .query<{ table: string; from: string; to: string }, [string]>(
      'select "table", "from", "to" from pragma_foreign_key_list(?)',
    )
    .all(name);
  const keyed = columns.filter(({ pk }) => pk > 0).sort((left, right) => left.pk - right.pk);
  return {
    name,
    // The types are those of `namedTypes`, or text and integer, which migrations spell themselves.
    columns: columns.map((column) => ({ name: column.name, kind: column.type.toLowerCase() as Kind })),
    key: keyed.map((column) => column.name),
    parents: references
      .filter((reference) => reference.table === name && reference.from !== reference.to)
      .map((reference) => reference.from),
    indexes: namesOf(connection, `type = 'index' and sql is not null and tbl_name = '${name}'`),
    references: references.map((reference) => reference.table).filter((other) => other !== name),
  };
}

const namesOf = (connection: Connection, where: string): string[] =>
  connection
    .query<{ name: string }, []>(`select name from sqlite_schema where ${where} order by rowid`)
    .all()
    .map(({ name }) => name);

/** The order of the migrations, except that a table comes after all that it refers to. */
function inOrder(tables: readonly Referring[]): Table[] {
  const waiting = [...tables];
  const placed: Table[] = [];
  while (waiting.length > 0) {
    const ready = waiting.findIndex(
      (table) => !table.references.some((name) => waiting.some((other) => other.name === name)),
    );
    if (ready < 0) throw new Error(`tables refer to each other: ${waiting.map(({ name }) => name).join(", ")}`);
    placed.push(...waiting.splice(ready, 1).map(({ references: _, ...table }) => table));
  }
  return placed;
}
