// The PostgreSQL of a run: real, on this machine, and thrown away after it.
import { SQL } from "bun";
import { startPostgres } from "../test/support/postgres-server.ts";

/** As an operator would set it for a machine of this size; everything else as it comes, durability included. */
const settings = { shared_buffers: "1GB", max_wal_size: "4GB" };

/** A new server with one empty database in it. */
export async function startDatabase(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { url, stop } = await startPostgres(settings);
  const administrator = new SQL(url, { max: 1 });
  await administrator`create database bench`;
  await administrator.close();
  return { url: Object.assign(new URL(url), { pathname: "/bench" }).href, stop };
}

/** Refreshes what the planner knows, as autovacuum does by itself within a minute of a large change. */
export async function refreshStatistics(url: string): Promise<void> {
  const connection = new SQL(url, { max: 1 });
  await connection`vacuum analyze`;
  await connection.close();
}
