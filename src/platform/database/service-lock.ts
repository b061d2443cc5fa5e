// Lets one process at a time serve an SQLite database. Commands may open it meanwhile.
import { Database as Connection, SQLiteError } from "bun:sqlite";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { DatabaseUnusable } from "./database.ts";

/** Who serves the database. */
interface Server {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

const waitMilliseconds = 1_000;
/** Kept until the process ends: a connection that nobody refers to would be closed. */
const held: Connection[] = [];

/**
 * Holds the lock of a database until the process ends: an open transaction on a small SQLite file next to it, which others can still read. The
 * system ends it with the process, so nothing is left behind by a kill.
 * @param since the time as the other process will tell it
 * @throws DatabaseUnusable that names the process that holds it
 */
export function lockForService(databasePath: string, since: string): void {
  let connection: Connection | undefined;
  try {
    connection = new Connection(`${databasePath}.lock`, { create: true, readwrite: true, strict: true });
    connection.run(`pragma busy_timeout = ${waitMilliseconds}`);
    connection.run("begin immediate");
    connection.run("create table if not exists server (id integer primary key, pid integer, host text, since text)");
    connection.run("insert or replace into server values (1, ?, ?, ?)", [process.pid, hostname(), since]);
    connection.run("commit");
    connection.run("begin immediate");
    held.push(connection);
  } catch (error) {
    const isHeld = error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY");
    const server = isHeld && connection && findServer(connection);
    connection?.close();
    // Where this file cannot be written, neither can the database, and that tells why.
    if (!isHeld) return;
    const who = server ? `process ${server.pid} on ${server.host}` : "another process";
    const when = server ? ` (since ${server.since})` : "";
    throw new DatabaseUnusable(
      `${who} is already serving the database ${resolve(databasePath)}${when}. Stop it, or set COMMONPLACE_DATA_DIRECTORY to another directory`,
    );
  }
}

/** Undefined in the moment in which that process is writing it. */
function findServer(connection: Connection): Server | undefined {
  try {
    return connection.query<Server, []>("select pid, host, since from server").get() ?? undefined;
  } catch {
    return undefined;
  }
}
