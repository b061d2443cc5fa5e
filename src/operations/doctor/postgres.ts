// A PostgreSQL: whether it can be reached, keeps what it is told, and lets the service do its work.
import type { Transaction } from "../../platform/database/database.ts";
import { placeOf } from "../../platform/database/redact-url.ts";
import { sql } from "../../platform/database/sql.ts";
import { type Check, ok, problem, some, type Verdict, warning } from "./check.ts";
import { isLoopback } from "./ports.ts";
import type { StoredData } from "./stored-data.ts";

const versions = { oldest: 15, newest: 18 };
const clockMillisecondsMax = 1_000;
const transactionMinutesMax = 60;
/** PostgreSQL stops taking writes at 2,100 million. */
const transactionAgeMax = 1_000_000_000;

/** A question that is answered by one row. */
const asked = <Row>(
  check: Omit<Check<StoredData>, "examine">,
  ask: (transaction: Transaction) => Promise<Row | undefined>,
  judge: (row: Row, data: StoredData) => Verdict,
): Check<StoredData> => ({
  ...check,
  examine: async (data) => {
    const row = await data.look(ask);
    return row ? judge(row, data) : problem("the database gave no answer");
  },
});

export const postgresChecks: readonly Check<StoredData>[] = [
  {
    name: "database",
    asks: "Can the database be reached?",
    mend: "Start PostgreSQL, or correct COMMONPLACE_DATABASE_URL: host, port, name, user and password.",
    examine: async ({ config, look }) => {
      const [host = "", database = ""] =
        config.database.engine === "postgres" ? placeOf(config.database.url).split("/") : [];
      const place = `${database} at ${host}`;
      const startedAt = performance.now();
      try {
        await look((transaction) => transaction.first(sql`select 1 as one`));
      } catch (error) {
        return problem(`${place}: ${error instanceof Error ? error.message : error}`, { isEnd: true });
      }
      return ok(`${place}, reached in ${Math.ceil(performance.now() - startedAt)} ms`);
    },
  },
  asked<{ is_encrypted: boolean | null }>(
    {
      name: "encryption",
      asks: "Can nobody on the way read what the service and the database say to each other?",
      mend: "Add ?sslmode=verify-full to COMMONPLACE_DATABASE_URL, and let PostgreSQL offer TLS: ssl = on.",
    },
    (transaction) =>
      transaction.first(sql`select (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as is_encrypted`),
    ({ is_encrypted }, { config: { database } }) => {
      if (is_encrypted) return ok("the connection is encrypted");
      const host = database.engine === "postgres" ? new URL(database.url).hostname : "";
      return isLoopback(host)
        ? ok("none is needed on one machine")
        : warning(`the connection to ${host} is not encrypted`);
    },
  ),
  asked<{ number: number; name: string }>(
    {
      name: "PostgreSQL",
      asks: `Is the server of a version from ${versions.oldest} to ${versions.newest}?`,
      mend: `Upgrade PostgreSQL to ${versions.newest}.`,
    },
    (transaction) =>
      transaction.first(sql`select current_setting('server_version_num')::int / 10000 as number,
        current_setting('server_version') as name`),
    ({ number, name }) => {
      if (number < versions.oldest) return problem(`${name} is too old`);
      const mend = "Nothing, if a newer version of this program is not there: it was tested with 15 to 18.";
      return number > versions.newest ? warning(`${name} is newer than what was tested`, { mend }) : ok(name);
    },
  ),
  asked<{ encoding: string }>(
    {
      name: "encoding",
      asks: "Can the database hold every text?",
      mend: "Make a database with encoding 'UTF8' template template0, and copy: ./commonplace database copy.",
    },
    (transaction) => transaction.first(sql`select current_setting('server_encoding') as encoding`),
    ({ encoding }) => (encoding === "UTF8" ? ok(encoding) : problem(`it is ${encoding}, and must be UTF8`)),
  ),
  asked<{ fsync: string; full_page_writes: string; synchronous_commit: string }>(
    {
      name: "durability",
      asks: "Is what is committed on the disk?",
      mend: "Set them to on in postgresql.conf, or for the role and the database, and reload PostgreSQL.",
    },
    (transaction) =>
      transaction.first(sql`select current_setting('fsync') as fsync,
        current_setting('full_page_writes') as full_page_writes, current_setting('synchronous_commit') as synchronous_commit`),
    (settings) => {
      const off = Object.entries(settings).filter(([, value]) => value === "off");
      return off.length > 0
        ? problem(`off: ${some(off.map(([name]) => name))}`)
        : ok(`fsync and full_page_writes on, synchronous_commit ${settings.synchronous_commit}`);
    },
  ),
  asked<{ is_standby: boolean; read_only: string }>(
    {
      name: "writing",
      asks: "Does the server take writes?",
      mend: "Name the primary in COMMONPLACE_DATABASE_URL; set default_transaction_read_only to off.",
    },
    (transaction) =>
      transaction.first(
        sql`select pg_is_in_recovery() as is_standby, current_setting('default_transaction_read_only') as read_only`,
      ),
    ({ is_standby, read_only }) => {
      if (is_standby) return problem("it is a standby, which only reads");
      return read_only === "on" ? problem("default_transaction_read_only is on") : ok("it is a primary");
    },
  ),
  {
    name: "clocks",
    asks: "Do this machine and the database have the same time?",
    mend: "Let both keep the time of the network: chrony, or systemd-timesyncd. Limits count by the database's clock.",
    examine: ({ look }) =>
      look(async (transaction) => {
        const before = Date.now();
        const row = await transaction.first<{ at: number }>(
          sql`select extract(epoch from clock_timestamp()) * 1000 as at`,
        );
        const after = Date.now();
        // The answer is of some moment between.
        const apart = Math.round((row?.at ?? Number.NaN) - (before + after) / 2);
        const says = `${apart >= 0 ? "the database is ahead" : "this machine is ahead"} by ${Math.abs(apart)} ms`;
        return Math.abs(apart) - (after - before) / 2 > clockMillisecondsMax ? warning(says) : ok(says);
      }),
  },
  asked<{ allowed: number; used: number }>(
    {
      name: "connections",
      asks: "Are there connections for all that a node may open?",
      mend: "Raise max_connections, lower COMMONPLACE_DATABASE_CONNECTIONS, or put PgBouncer between.",
    },
    (transaction) =>
      transaction.first(sql`select current_setting('max_connections')::int
          - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true), '0')::int as allowed,
        (select count(*) from pg_stat_activity where datname is not null) as used`),
    ({ allowed, used }, { config: { databaseConnections } }) => {
      const says = `${used} in use of ${allowed}; a node opens ${databaseConnections} at most`;
      return databaseConnections > allowed || used > allowed * 0.9 ? warning(says) : ok(says);
    },
  ),
  asked<{
    role: string;
    schema: string | null;
    may_create: boolean | null;
    refused: string | null;
    foreign: string | null;
  }>(
    {
      name: "rights",
      asks: "May the role read and write every table, and migrate?",
      mend: "Let the role own the database and its tables: alter database … owner to …, reassign owned by … to ….",
    },
    (transaction) =>
      transaction.first(sql`select current_user::text as role, current_schema()::text as schema,
          has_schema_privilege(current_schema(), 'create') as may_create,
          string_agg(t.relname, ', ' order by t.relname) filter (where not (has_table_privilege(t.oid, 'select')
            and has_table_privilege(t.oid, 'insert') and has_table_privilege(t.oid, 'update')
            and has_table_privilege(t.oid, 'delete'))) as refused,
          string_agg(t.relname, ', ' order by t.relname) filter (where not pg_has_role(t.relowner, 'usage')) as foreign
        from (values (1)) one left join pg_class t on t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace`),
    ({ role, schema, may_create, refused, foreign }) => {
      if (schema === null) return problem(`the role ${role} may use no schema`);
      if (refused) return problem(`the role ${role} may not read and write ${some(refused.split(", "))}`);
      if (!may_create) return problem(`the role ${role} may not make tables in the schema ${schema}`);
      return foreign
        ? warning(`the role ${role} does not own ${some(foreign.split(", "))}, so it can not migrate`)
        : ok(`the role ${role} owns what it needs in the schema ${schema}`);
    },
  ),
  asked<{ invalid: string | null }>(
    {
      name: "indexes",
      asks: "Is every index whole, and every rule of the tables in force?",
      mend: "reindex index … for an index; alter table … validate constraint … for a rule.",
    },
    (transaction) =>
      transaction.first(sql`select string_agg(name, ', ' order by name) as invalid from (
          select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
            where c.relnamespace = current_schema()::regnamespace and not (i.indisvalid and i.indisready)
          union all select conname as name from pg_constraint
            where connamespace = current_schema()::regnamespace and not convalidated) broken`),
    ({ invalid }) => (invalid ? problem(`not in force: ${some(invalid.split(", "))}`) : ok("all are in force")),
  ),
  asked<{ minutes: number | null; age: number; autovacuum: string }>(
    {
      name: "vacuum",
      asks: "Can PostgreSQL clear away what was changed and deleted?",
      mend: "Set autovacuum to on; end sessions that stay in a transaction: select pg_terminate_backend(…).",
    },
    (transaction) =>
      transaction.first(sql`select current_setting('autovacuum') as autovacuum,
        (select age(datfrozenxid)::bigint from pg_database where datname = current_database()) as age,
        (select max(extract(epoch from now() - xact_start)) / 60 from pg_stat_activity
          where state like 'idle in transaction%' and datname = current_database()) as minutes`),
    ({ minutes, age, autovacuum }) => {
      if (autovacuum === "off") return warning("autovacuum is off");
      if (age > transactionAgeMax) return problem(`the oldest transaction is ${age.toLocaleString("en-US")} ago`);
      return Number(minutes) > transactionMinutesMax
        ? warning(`a session has been idle in a transaction for ${Math.round(Number(minutes))} minutes`)
        : ok("autovacuum is on, and nobody is in its way");
    },
  ),
];
