// A temporary PostgreSQL server on this machine.
import { SQL } from "bun";
import { startPostgres } from "../test/support/postgres-server.ts";

/** Typical settings for a machine of this size; the rest are defaults, including durability. */
const settings = { shared_buffers: "1GB", max_wal_size: "4GB" };

export interface DatabaseServer {
  /** Of the database `bench`. */
  readonly url: string;
  /** Creates another database. @returns its URL */
  readonly create: (name: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Starts a server with one empty database. */
export async function startDatabase(): Promise<DatabaseServer> {
  const { url, stop } = await startPostgres(settings);
  const create = async (name: string): Promise<string> => {
    const administrator = new SQL(url, { max: 1 });
    await administrator.unsafe(`create database ${name}`);
    await administrator.close();
    return Object.assign(new URL(url), { pathname: `/${name}` }).href;
  };
  return { url: await create("bench"), create, stop };
}

/** Updates the planner's statistics, as autovacuum does within a minute of a large change. */
export async function refreshStatistics(url: string): Promise<void> {
  const connection = new SQL(url, { max: 1 });
  await connection`vacuum analyze`;
  await connection.close();
}

/** The bytes of a database on the disk. */
export async function databaseBytes(url: string): Promise<number> {
  const connection = new SQL(url, { max: 1 });
  const [row] = await connection`select pg_database_size(current_database())::float8 as bytes`;
  await connection.close();
  return row.bytes;
}
