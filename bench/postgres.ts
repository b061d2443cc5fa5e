// A temporary PostgreSQL server on this machine.
import { SQL } from "bun";
import { startPostgres } from "../test/support/postgres-server.ts";

/** Typical settings for a machine of this size; the rest are defaults, including durability. */
const settings = { shared_buffers: "1GB", max_wal_size: "4GB" };

/** Starts a server with one empty database. */
export async function startDatabase(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { url, stop } = await startPostgres(settings);
  const administrator = new SQL(url, { max: 1 });
  await administrator`create database bench`;
  await administrator.close();
  return { url: Object.assign(new URL(url), { pathname: "/bench" }).href, stop };
}

/** Updates the planner's statistics, as autovacuum does within a minute of a large change. */
export async function refreshStatistics(url: string): Promise<void> {
  const connection = new SQL(url, { max: 1 });
  await connection`vacuum analyze`;
  await connection.close();
}
