// The databases of the tests on PostgreSQL: one for each data directory, copied from one that is migrated, or emptied and used again.
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { SQL } from "bun";
import { openDatabase } from "../../src/platform/database/open.ts";
import { afterAllTests } from "./cleanup.ts";
import { startPostgres } from "./postgres-server.ts";

const watcherIdleSeconds = 10;

interface Server {
  readonly url: string;
  /** Makes databases, and drops them. */
  readonly administrator: SQL;
}

let server: Promise<Server> | undefined;

/** The server of this run: the one that was named, or a new one. */
export const connectToServer = (): Promise<Server> => {
  server ??= openServer();
  return server;
};

async function openServer(): Promise<Server> {
  const given = process.env.TEST_DATABASE_URL;
  const started = given ? undefined : await startPostgres();
  const url = given || started?.url || "";
  const administrator = new SQL(url, { max: 1 });
  afterAllTests(async () => {
    await administrator.close();
    await started?.stop();
  });
  return { url, administrator };
}

const urls = new Map<string, Promise<string>>();

/** The URL of the database that belongs to a data directory, made when it is first asked for and dropped after the last test. */
export function urlOf(dataDirectory: string, make: () => Promise<string> = makeDatabase): Promise<string> {
  const place = resolve(dataDirectory);
  const known = urls.get(place) ?? make();
  urls.set(place, known);
  return known;
}

let migrated: Promise<string> | undefined;

/** With the schema in it, as after a first start: a copy of one database of this run, since to migrate each would take half a second. */
async function makeMigrated(): Promise<string> {
  migrated ??= makeDatabase().then(async (url) => {
    const database = await openDatabase({
      dataDirectory: tmpdir(),
      database: { engine: "postgres", url },
      databaseConnections: 1,
    });
    await database.close();
    return url;
  });
  return makeDatabase(new URL(await migrated).pathname.slice(1));
}

/** Databases as new: to empty one that a test has left takes a fortieth of the time that a copy takes. */
const emptied: { readonly url: string; readonly watcher: Promise<SQL> }[] = [];

/** The same with the schema in it. */
export const preparedUrlOf = (dataDirectory: string): Promise<string> =>
  urlOf(dataDirectory, () => prepareDatabase(dataDirectory));

async function prepareDatabase(dataDirectory: string): Promise<string> {
  const reused = emptied.pop();
  if (!reused) return makeMigrated();
  watchers.set(dataDirectory, reused.watcher);
  return reused.url;
}

/** How many things of each kind there are: what a test planted or took away shows here. */
const schemaCounts = `select concat_ws(' ',
  (select count(*) from pg_class where relnamespace = current_schema()::regnamespace),
  (select count(*) from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = current_schema()::regnamespace and not a.attisdropped),
  (select count(*) from pg_constraint where connamespace = current_schema()::regnamespace),
  (select count(*) from pg_trigger where not tgisinternal),
  (select count(*) from pg_proc where pronamespace = current_schema()::regnamespace),
  (select count(*) from pg_extension),
  (select count(*) from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase where d.datname = current_database()),
  (select concat_ws(',', count(*), max(version)) from schema_migrations)) as counts`;
/** Of a database as it was migrated. */
let countsBefore: Promise<string> | undefined;

/** Without the rules between tables, which would ask for an order. */
const emptyTables = `do $$ declare place text; begin
  set local session_replication_role = replica;
  set local lock_timeout = '2s';
  for place in select quote_ident(tablename) from pg_tables
    where schemaname = current_schema() and tablename <> 'schema_migrations'
  loop execute 'delete from ' || place; end loop; end $$`;
/** Rows that are gone still take place, and time. */
const reusedBytesMax = 16 * 1024 * 1024;

/** Keeps the database of a data directory for another one, where it can be emptied. */
export async function releaseDatabase(dataDirectory: string): Promise<void> {
  const place = resolve(dataDirectory);
  const url = await urls.get(place);
  if (url === undefined) return;
  const watcher = watcherOf(dataDirectory);
  urls.delete(place);
  watchers.delete(dataDirectory);
  const pool = await watcher;
  const countsOf = async (): Promise<string> => (await pool.unsafe(schemaCounts))[0].counts;
  try {
    countsBefore ??= migratedCounts();
    const [size] = await pool`select pg_database_size(current_database())::int as bytes`;
    if ((await countsOf()) !== (await countsBefore) || size.bytes > reusedBytesMax) return await pool.close();
    await pool.unsafe(emptyTables);
    emptied.push({ url, watcher });
  } catch {
    // A test took the database away, or its connections.
    await pool.close();
  }
}

async function migratedCounts(): Promise<string> {
  const pool = new SQL((await migrated) ?? "", { max: 1 });
  const [row] = await pool.unsafe(schemaCounts);
  await pool.close();
  return row.counts;
}

async function makeDatabase(template = "template0"): Promise<string> {
  const { url, administrator } = await connectToServer();
  const name = `commonplace_test_${crypto.randomUUID().replaceAll("-", "")}`;
  await administrator.unsafe(`create database ${name} template ${template} encoding 'UTF8'`);
  // Needless on a server that goes with the run: each drop waits for a checkpoint.
  if (process.env.TEST_DATABASE_URL && !process.env.TEST_DATABASE_DISPOSABLE)
    afterAllTests(() => administrator.unsafe(`drop database if exists ${name} with (force)`));
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

const watchers = new Map<string, Promise<SQL>>();

/** A connection for looks at the database of a data directory, which stays open between them. */
export function watcherOf(dataDirectory: string): Promise<SQL> {
  const watcher = watchers.get(dataDirectory) ?? openWatcher(dataDirectory);
  watchers.set(dataDirectory, watcher);
  return watcher;
}

async function openWatcher(dataDirectory: string): Promise<SQL> {
  const pool = new SQL(await urlOf(dataDirectory), { max: 1, idleTimeout: watcherIdleSeconds });
  afterAllTests(() => pool.close());
  return pool;
}
