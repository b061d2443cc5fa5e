// What the doctor asks a PostgreSQL: each answer is one row.
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

type Answer<Row> = Promise<Row | undefined>;

export async function ping(transaction: Transaction): Promise<void> {
  await transaction.first(sql`select 1 as one`);
}

export const readEncryption = (transaction: Transaction): Answer<{ is_encrypted: boolean | null }> =>
  transaction.first(sql`select (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as is_encrypted`);

export const readServerVersion = (transaction: Transaction): Answer<{ number: number; name: string }> =>
  transaction.first(
    sql`select current_setting('server_version_num')::int / 10000 as number, current_setting('server_version') as name`,
  );

export const readEncoding = (transaction: Transaction): Answer<{ encoding: string }> =>
  transaction.first(sql`select current_setting('server_encoding') as encoding`);

export const readDurability = (
  transaction: Transaction,
): Answer<{ fsync: string; full_page_writes: string; synchronous_commit: string }> =>
  transaction.first(
    sql`select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
          current_setting('synchronous_commit') as synchronous_commit`,
  );

export interface Replication {
  readonly synchronous_commit: string;
  readonly names: string;
  /** Standbys that are connected. */
  readonly connected: number;
  /** Those that commits wait for, separated by commas; null without one. */
  readonly waited_for: string | null;
  /** False where the role may not see what the standbys do. */
  readonly is_visible: boolean;
}

export const readReplication = (transaction: Transaction): Answer<Replication> =>
  transaction.first(
    sql`select current_setting('synchronous_commit') as synchronous_commit,
          current_setting('synchronous_standby_names') as names, count(pid)::int as connected,
          string_agg(application_name, ', ' order by application_name)
            filter (where state = 'streaming' and sync_state in ('sync', 'quorum')) as waited_for,
          count(pid) = count(state) as is_visible
        from pg_stat_replication`,
  );

export const readRecovery = (transaction: Transaction): Answer<{ is_standby: boolean; read_only: string }> =>
  transaction.first(
    sql`select pg_is_in_recovery() as is_standby, current_setting('default_transaction_read_only') as read_only`,
  );

/** The time of the server in milliseconds since 1970. */
export const readClock = (transaction: Transaction): Answer<{ milliseconds: number }> =>
  transaction.first(sql`select extract(epoch from clock_timestamp()) * 1000 as milliseconds`);

/** Connections that ordinary roles may open, and those in use. */
export const readConnections = (transaction: Transaction): Answer<{ allowed: number; used: number }> =>
  transaction.first(
    sql`select current_setting('max_connections')::int
            - current_setting('superuser_reserved_connections')::int
            - coalesce(current_setting('reserved_connections', true), '0')::int as allowed,
          (select count(*) from pg_stat_activity where datname is not null) as used`,
  );

export interface Privileges {
  readonly role: string;
  /** Null where the role may use no schema. */
  readonly schema: string | null;
  readonly may_create: boolean | null;
  /** Tables that the role may not read and write, separated by commas. */
  readonly refused: string | null;
  /** Tables that the role does not own. */
  readonly foreign: string | null;
}

export const readPrivileges = (transaction: Transaction): Answer<Privileges> =>
  transaction.first(
    sql`select current_user::text as role, current_schema()::text as schema,
          has_schema_privilege(current_schema(), 'create') as may_create,
          string_agg(t.relname, ', ' order by t.relname) filter (where not (has_table_privilege(t.oid, 'select')
            and has_table_privilege(t.oid, 'insert') and has_table_privilege(t.oid, 'update')
            and has_table_privilege(t.oid, 'delete'))) as refused,
          string_agg(t.relname, ', ' order by t.relname) filter (where not pg_has_role(t.relowner, 'usage')) as foreign
        from (values (1)) one left join pg_class t on t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace`,
  );

/** Indexes and constraints that are not in force, separated by commas. */
export const readInvalidIndexes = (transaction: Transaction): Answer<{ invalid: string | null }> =>
  transaction.first(
    sql`select string_agg(name, ', ' order by name) as invalid from (
          select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
            where c.relnamespace = current_schema()::regnamespace and not (i.indisvalid and i.indisready)
          union all select conname as name from pg_constraint
            where connamespace = current_schema()::regnamespace and not convalidated) broken`,
  );

export interface VacuumState {
  readonly autovacuum: string;
  /** Age of the oldest unfrozen transaction ID of the database, in transactions. */
  readonly age: number;
  /** Minutes of the longest idle transaction; null without one. */
  readonly minutes: number | null;
}

export const readVacuum = (transaction: Transaction): Answer<VacuumState> =>
  transaction.first(
    sql`select current_setting('autovacuum') as autovacuum,
          (select age(datfrozenxid)::bigint from pg_database where datname = current_database()) as age,
          (select max(extract(epoch from now() - xact_start)) / 60 from pg_stat_activity
            where state like 'idle in transaction%' and datname = current_database()) as minutes`,
  );
