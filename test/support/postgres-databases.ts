// The tests' databases on PostgreSQL: one for each data directory, copied from a migrated template or emptied and reused.
import { resolve } from "node:path";
import { SQL } from "bun";
import { openDatabase } from "../../src/platform/database/open.ts";
import { afterAllTests } from "./cleanup.ts";
import { startPostgres } from "./postgres-server.ts";
import { temporaryRoot } from "./temporary-root.ts";

const watcherIdleSeconds = 10;

interface Server {
  readonly url: string;
  /** Creates and drops databases. */
  readonly administrator: SQL;
}

let server: Promise<Server> | undefined;

/** The server of this run: the one that TEST_DATABASE_URL names, or a new one. */
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

/** The URL of a data directory's database, which is created on the first call and dropped after the last test. */
export function urlOf(dataDirectory: string, make: () => Promise<string> = makeDatabase): Promise<string> {
  const path = resolve(dataDirectory);
  const url = urls.get(path) ?? make();
  urls.set(path, url);
  return url;
}

let migrated: Promise<string> | undefined;

/** Creates a database with the schema, as after a first start: a copy of one of this run's, since migrating each takes half a second. */
async function makeMigrated(): Promise<string> {
  migrated ??= makeDatabase().then(async (url) => {
    const database = await openDatabase({
      dataDirectory: temporaryRoot(),
      database: { engine: "postgres", url },
      databaseConnections: 1,
    });
    await database.close();
    return url;
  });
  return makeDatabase(new URL(await migrated).pathname.slice(1));
}

/** Databases emptied for reuse, which takes a fortieth of the time of a copy. */
const emptied: { readonly url: string; readonly watcher: Promise<SQL> }[] = [];

/** The same as `urlOf`, with the schema in the database. */
export const preparedUrlOf = (dataDirectory: string): Promise<string> =>
  urlOf(dataDirectory, () => prepareDatabase(dataDirectory));

async function prepareDatabase(dataDirectory: string): Promise<string> {
  const reused = emptied.pop();
  if (!reused) return makeMigrated();
  watchers.set(dataDirectory, reused.watcher);
  return reused.url;
}

/** The number of schema objects of each kind: shows whether a test added or removed one. */
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
/** The counts of a newly migrated database. */
let countsBefore: Promise<string> | undefined;

/** Without foreign keys, which would require an order of the tables. */
const emptyTables = `do $$ declare place text; begin
  set local session_replication_role = replica;
  set local lock_timeout = '2s';
  for place in select quote_ident(tablename) from pg_tables
    where schemaname = current_schema() and tablename <> 'schema_migrations'
  loop execute 'delete from ' || place; end loop; end $$`;
/** Deleted rows still take space and time: larger databases are not reused. */
const reusedBytesMax = 16 * 1024 * 1024;

/** Empties a data directory's database for reuse, if that is possible. */
export async function releaseDatabase(dataDirectory: string): Promise<void> {
  const path = resolve(dataDirectory);
  const url = await urls.get(path);
  if (url === undefined) return;
  const watcher = watcherOf(dataDirectory);
  urls.delete(path);
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
    // A test made the database unreachable or closed its connections.
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
  // Skipped on a server that ends with the run: each drop waits for a checkpoint.
  if (process.env.TEST_DATABASE_URL && !process.env.TEST_DATABASE_DISPOSABLE)
    afterAllTests(() => administrator.unsafe(`drop database if exists ${name} with (force)`));
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

const watchers = new Map<string, Promise<SQL>>();

/** A connection for queries on a data directory's database, which stays open between them. */
export function watcherOf(dataDirectory: string): Promise<SQL> {
  const watcher = watchers.get(dataDirectory) ?? openWatcher(dataDirectory);
  watchers.set(dataDirectory, watcher);
  return watcher;
}

async function openWatcher(dataDirectory: string): Promise<SQL> {
  // Tables that no one has analyzed would be read from end to end, with what all earlier tests wrote.
  const connection = { enable_seqscan: "off" };
  const pool = new SQL(await urlOf(dataDirectory), { max: 1, idleTimeout: watcherIdleSeconds, connection });
  afterAllTests(() => pool.close());
  return pool;
}
