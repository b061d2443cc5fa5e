// What a test may know about the engine: its name, where a service's data are stored, and plain SQL that bypasses the service.
// TEST_ENGINE selects sqlite or postgres. TEST_DATABASE_URL names a PostgreSQL; without it, one is started.
// TEST_DATABASE_DISPOSABLE is set if the named server ends with the test run.
import { Database as SqliteConnection, type Statement } from "bun:sqlite";
import { test } from "bun:test";
import { renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { type Clock, type Database, type Moment, steadyClock } from "../../src/platform/database/database.ts";
import type { DatabaseLocation } from "../../src/platform/database/location.ts";
import { openDatabase } from "../../src/platform/database/open.ts";
import type { ReadingThread } from "../../src/platform/database/reading-thread.ts";
import { type Sql, sql } from "../../src/platform/database/sql.ts";
import { connectToServer, preparedUrlOf, releaseDatabase, urlOf, watcherOf } from "./postgres-databases.ts";
import { isTried, someCases } from "./some-cases.ts";

export type Parameter = string | number | boolean | null;

/** Rows by plain SQL with `?` for each value. Moments are ISO 8601 text, numbers are numbers, and a boolean is 0 or 1. */
export type Rows = <Row = Record<string, unknown>>(text: string, ...values: Parameter[]) => Promise<Row[]>;

/** A connection that bypasses the service. It may leave a transaction open. */
export interface Connection {
  readonly rows: Rows;
  /** One statement that changes something; @returns how many rows */
  readonly run: (text: string, ...values: Parameter[]) => Promise<number>;
  readonly close: () => Promise<void>;
}

interface Watcher {
  readonly rows: Rows;
  readonly close: () => void;
}

interface Engine {
  readonly name: "sqlite" | "postgres";
  /** The database of a service with this data directory: its own, and the same on each call. */
  readonly locate: (dataDirectory: string) => Promise<DatabaseLocation>;
  /** The same, with the schema in it, unless a service's first start is to create it. */
  readonly prepare: (dataDirectory: string) => Promise<DatabaseLocation>;
  /** Call it when this data directory's prepared database is no longer in use: another test may get it, emptied. */
  readonly release: (dataDirectory: string) => Promise<void>;
  readonly connect: (dataDirectory: string) => Promise<Connection>;
  /** Queries that read committed rows and change nothing. */
  readonly rowsOf: (dataDirectory: string) => Rows;
  /** The same for many queries: keeps the database open until `close`. */
  readonly watch: (dataDirectory: string) => Watcher;
  /** The rows of a workspace in each of these tables, or a hash of them, only to be compared: a list per table, empty without rows. */
  readonly snapshot: (rows: Rows, tables: readonly string[], workspaceId: string) => Promise<unknown[][]>;
  /** Statements with which a connection blocks every writer but no reader, until `rollback`. */
  readonly blockWriters: readonly string[];
  /** Makes every insert into the table fail with this message. */
  readonly refuseInserts: (table: string, message: string) => readonly string[];
  readonly allowInserts: (table: string) => readonly string[];
  /** Makes the database unreachable. @returns a function that makes it available again */
  readonly makeUnavailable: (dataDirectory: string) => Promise<() => Promise<unknown>>;
  /** Everything that is stored outside the data directory, by table. */
  readonly stored: (dataDirectory: string) => Promise<Record<string, Buffer>>;
  /** Defects that the engine's own checks find in the stored data. */
  readonly findings: (dataDirectory: string) => Promise<unknown[]>;
  /** An expression for the stored bytes of a text, in hexadecimal digits. */
  readonly hex: (column: string) => string;
  /** The moment as an SQL expression, for statements that the code under test composes. */
  readonly moment: (iso: string) => Sql;
}

/** Few, since Bun opens all of them at once and each takes PostgreSQL 5 to 10 ms of processor time. */
export const connectionsOfService = 2;

/** Finalizes its statement, which would otherwise keep the file open. */
function select<Row>(connection: SqliteConnection, text: string, values: readonly Parameter[]): Row[] {
  const statement = connection.prepare(text);
  try {
    return statement.all(...values) as Row[];
  } finally {
    statement.finalize();
  }
}

const sqlite: Engine = {
  name: "sqlite",
  locate: async (dataDirectory) => ({ engine: "sqlite", path: join(dataDirectory, "commonplace.db") }),
  prepare: (dataDirectory) => sqlite.locate(dataDirectory),
  // A new file is cheaper than emptying one.
  release: async () => undefined,
  connect: async (dataDirectory) => {
    const connection = new SqliteConnection(join(dataDirectory, "commonplace.db"), { readwrite: true });
    connection.run("pragma busy_timeout = 5000");
    connection.run("pragma foreign_keys = on");
    return {
      rows: async (text, ...values) => select(connection, text, values),
      run: async (text, ...values) => connection.run(text, values).changes,
      close: async () => connection.close(),
    };
  },
  rowsOf:
    (dataDirectory) =>
    async (text, ...values) => {
      const connection = new SqliteConnection(join(dataDirectory, "commonplace.db"), { readonly: true });
      try {
        return select(connection, text, values);
      } finally {
        connection.close();
      }
    },
  watch: (dataDirectory) => {
    const path = join(dataDirectory, "commonplace.db");
    let open: { readonly file: number; readonly connection: SqliteConnection } | undefined;
    const statements = new Map<string, Statement>();
    const close = () => {
      // A statement that is not finalized would keep the file open.
      for (const statement of statements.values()) statement.finalize();
      statements.clear();
      open?.connection.close(true);
      open = undefined;
    };
    const rows: Rows = async <Row>(text: string, ...values: Parameter[]) => {
      const file = statSync(path).ino;
      if (open?.file !== file) {
        close();
        open = { file, connection: new SqliteConnection(path, { readonly: true }) };
      }
      const statement = statements.get(text) ?? open.connection.prepare(text);
      statements.set(text, statement);
      return statement.all(...values) as Row[];
    };
    return { rows, close };
  },
  snapshot: (rows, tables, workspaceId) =>
    Promise.all(
      tables.map((table) => rows(`select * from ${table} where workspace_id = ? order by 1, 2, 3`, workspaceId)),
    ),
  blockWriters: ["begin immediate"],
  refuseInserts: (table, message) => [
    `create trigger planted before insert on ${table} begin select raise(abort, '${message}'); end`,
  ],
  allowInserts: () => ["drop trigger planted"],
  makeUnavailable: async (dataDirectory) => {
    const path = join(dataDirectory, "commonplace.db");
    renameSync(path, `${path}.away`);
    return async () => renameSync(`${path}.away`, path);
  },
  stored: async () => ({}),
  findings: async (dataDirectory) => {
    const rows = sqlite.rowsOf(dataDirectory);
    const findings = [...(await rows("pragma integrity_check")), ...(await rows("pragma foreign_key_check"))];
    return findings.filter((finding) => finding.integrity_check !== "ok");
  },
  hex: (column) => `hex(${column})`,
  moment: (iso) => sql`${iso}`,
};

/** PostgreSQL types whose values Bun returns in another form than `Rows` promises. */
const conversions: ReadonlyMap<number, (value: unknown) => unknown> = new Map([
  [16, Number],
  [20, Number],
  [1184, (value: unknown) => (value instanceof Date ? value.toISOString() : value)],
  [1700, Number],
]);

interface PostgresResult extends Array<Record<string, unknown>> {
  readonly count: number;
  readonly columns: readonly { readonly name: string; readonly type: number }[];
}

async function execute(pool: SQL, text: string, values: readonly Parameter[]): Promise<PostgresResult> {
  let count = 0;
  const numbered = text.replaceAll("?", () => {
    count += 1;
    return `$${count}`;
  });
  // Bun's types do not know the columns of a result.
  return (await pool.unsafe(numbered, [...values])) as unknown as PostgresResult;
}

function converted<Row>(result: PostgresResult): Row[] {
  for (const { name, type } of result.columns) {
    const convert = conversions.get(type);
    if (convert) for (const row of result) if (row[name] !== null) row[name] = convert(row[name]);
  }
  return [...result] as Row[];
}

/** Plain SQL on a connection to PostgreSQL. */
export const rowsOn =
  (pool: SQL): Rows =>
  async (text, ...values) =>
    converted(await execute(pool, text, values));

const postgres: Engine = {
  name: "postgres",
  locate: async (dataDirectory) => ({ engine: "postgres", url: await urlOf(dataDirectory) }),
  prepare: async (dataDirectory) => ({ engine: "postgres", url: await preparedUrlOf(dataDirectory) }),
  release: releaseDatabase,
  connect: async (dataDirectory) => {
    const pool = new SQL(await urlOf(dataDirectory), { max: 1 });
    return {
      rows: rowsOn(pool),
      run: async (text, ...values) => (await execute(pool, text, values)).count,
      close: () => pool.close(),
    };
  },
  rowsOf:
    (dataDirectory) =>
    async (text, ...values) =>
      rowsOn(await watcherOf(dataDirectory))(text, ...values),
  watch: (dataDirectory) => ({ rows: postgres.rowsOf(dataDirectory), close: () => undefined }),
  // One statement, and a hash of all columns of all rows instead of texts of a million characters: tests compare before and after
  // thousands of calls.
  snapshot: async (rows, tables, workspaceId) => {
    const selects = tables.map(
      (table) => `(select '${table}' as name, count(*) as total, sum(hash_record_extended(t, 0))::text as hash
                   from ${table} t where workspace_id = ?)`,
    );
    const found = await rows<{ name: string; total: number; hash: string | null }>(
      selects.join(" union all "),
      ...tables.map(() => workspaceId),
    );
    return tables.map((table) => found.filter(({ name, total }) => name === table && total > 0));
  },
  blockWriters: [
    "begin",
    `do $$ declare place text; begin
       for place in select quote_ident(tablename) from pg_tables where schemaname = current_schema() loop
         execute 'lock table ' || place || ' in share mode';
       end loop; end $$`,
  ],
  refuseInserts: (table, message) => [
    `create function planted() returns trigger language plpgsql as $$ begin raise exception '${message}'; end $$`,
    `create trigger planted before insert on ${table} for each row execute function planted()`,
  ],
  allowInserts: (table) => [`drop trigger planted on ${table}`],
  makeUnavailable: async (dataDirectory) => {
    const { administrator } = await connectToServer();
    const name = new URL(await urlOf(dataDirectory)).pathname.slice(1);
    await administrator.unsafe(`alter database ${name} allow_connections false`);
    await administrator`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
    return () => administrator.unsafe(`alter database ${name} allow_connections true`);
  },
  stored: async (dataDirectory) => {
    const rows = postgres.rowsOf(dataDirectory);
    const tables = await rows<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = current_schema()",
    );
    const contents = tables.map(
      async ({ name }): Promise<[string, Buffer]> => [
        name,
        Buffer.from(JSON.stringify(await rows(`select * from ${name}`))),
      ],
    );
    return Object.fromEntries(await Promise.all(contents));
  },
  findings: async (dataDirectory) => {
    const { rows, run, close } = await postgres.connect(dataDirectory);
    try {
      // Only a superuser may create the extension; on a server that the tests start, they are one.
      if (!(await rows("select 1 from pg_roles where rolname = current_user and rolsuper"))[0]) return [];
      await run("create extension if not exists amcheck");
      // Fails at the first index that does not match its table.
      await rows(`select bt_index_check(i.indexrelid, true) from pg_index i join pg_class c on c.oid = i.indexrelid
                  where c.relnamespace = current_schema()::regnamespace`);
      return await rows(`select t.relname, found.* from pg_class t cross join lateral verify_heapam(t.oid) found
                         where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace`);
    } finally {
      await close();
    }
  },
  hex: (column) => `upper(encode(convert_to(${column}, 'UTF8'), 'hex'))`,
  moment: (iso) => sql`${iso}::timestamptz`,
};

function choose(name: string): Engine {
  const chosen = [sqlite, postgres].find((candidate) => candidate.name === name);
  if (!chosen) throw new Error(`TEST_ENGINE must be sqlite or postgres, not "${name}"`);
  return chosen;
}

export const engine = choose(process.env.TEST_ENGINE || "sqlite");

/** One of so many cases is tried on PostgreSQL, where each takes several times as long. */
const casesPerTried = 3;

/** All cases on SQLite, and a third of them on PostgreSQL. For cases whose SQL is the same on both. */
export const someOnPostgres = <Case>(cases: readonly Case[]): readonly Case[] =>
  engine.name === "postgres" ? someCases(cases, casesPerTried) : cases;

/** The same for tests without a list, such as those of commands. */
export const testSomeOnPostgres = (title: string, work: () => Promise<void>): void =>
  test.skipIf(engine.name === "postgres" && !isTried(casesPerTried))(title, work);

/** The environment variables that give a process with this data directory its database. */
export async function databaseSettings(dataDirectory: string): Promise<Record<string, string>> {
  const location = await engine.locate(dataDirectory);
  if (location.engine === "sqlite") return {};
  return {
    COMMONPLACE_DATABASE_URL: location.url,
    COMMONPLACE_DATABASE_CONNECTIONS: String(connectionsOfService),
  };
}

/** The configuration that gives a service in this process its database. */
export const databaseConfig = async (dataDirectory: string) => ({
  dataDirectory,
  database: await engine.prepare(dataDirectory),
  databaseConnections: connectionsOfService,
});

/** A database without a service, as another node or a command opens it. */
export const openNode = async (
  dataDirectory: string,
  clock: Clock = steadyClock(),
  thread?: ReadingThread,
): Promise<Database> => openDatabase(await databaseConfig(dataDirectory), { clock, thread });

/** Host and name of a database, as messages show them: without credentials. */
export const urlWithoutCredentials = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
};

/** Moments relative to this one, for statements that compare with nearby times. */
export const momentsAround =
  (milliseconds: number): Moment =>
  (offsetSeconds) =>
    engine.moment(new Date(milliseconds + offsetSeconds * 1_000).toISOString());
