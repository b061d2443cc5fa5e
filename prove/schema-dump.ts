// The schema and the rows of a database as text, to compare what two upgrades made of it.
import { type Connection, engine } from "../test/support/engine.ts";

/** The columns of each table. */
export type Tables = Readonly<Record<string, readonly string[]>>;

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

/** The rows of these columns. */
export async function dumpRows({ rows }: Connection, tables: Tables): Promise<string> {
  const found: string[] = [];
  for (const [name, columns] of Object.entries(tables)) {
    const all = await rows(`select ${columns.join(", ")} from ${name}`);
    found.push(name, ...all.map((row) => JSON.stringify(row)).sort());
  }
  return found.join("\n");
}

/** The lines that only one of two dumps has. */
export function difference(one: string, two: string): string {
  const [left, right] = [one.split("\n"), two.split("\n")];
  const only = (lines: string[], others: string[]) => lines.filter((line) => !others.includes(line)).slice(0, 5);
  return [...only(left, right).map((line) => `- ${line}`), ...only(right, left).map((line) => `+ ${line}`)]
    .map((line) => line.slice(0, 500))
    .join("\n");
}
