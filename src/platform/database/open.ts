// Opens the database that the settings name, on whichever engine; what only a server needs is loaded only for one.
import { existsSync, mkdirSync, statSync } from "node:fs";
import { type Clock, type Database, type DatabaseObserver, DatabaseUnusable, steadyClock } from "./database.ts";
import type { DatabaseLocation } from "./location.ts";
import { openSqlite } from "./sqlite.ts";
import { type Patience, patienceOfOperators } from "./timeouts.ts";

export interface DatabaseSettings {
  readonly dataDirectory: string;
  readonly database: DatabaseLocation;
  /** Connections that one node opens at most to a database server. */
  readonly databaseConnections: number;
}

export interface Access {
  /** The time of day for an engine inside the process; for a database server, which has a clock of its own, only tests give one. */
  readonly clock?: Clock | undefined;
  /** Refuses to make a new database: for commands that only make sense on one. */
  readonly mustExist?: boolean;
  /** How long a database server may keep somebody waiting. */
  readonly patience?: Patience;
  readonly observer?: DatabaseObserver | undefined;
}

/** @throws DatabaseUnusable with one clear line */
export async function openDatabase(
  { dataDirectory, database, databaseConnections: connections }: DatabaseSettings,
  { clock, mustExist = false, patience = patienceOfOperators, observer }: Access = {},
): Promise<Database> {
  if (!mustExist) makeDataDirectory(dataDirectory);
  if (database.engine === "sqlite") return openSqlite(database.path, clock ?? steadyClock(), mustExist, observer);
  const { openPostgres } = await import("./postgres.ts");
  return openPostgres(database.url, { connections, patience, clock, mustExist, observer });
}

function makeDataDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const isFile = existsSync(path) && statSync(path).isFile();
    const reason = error instanceof Error ? error.message.split(", ")[0] : error;
    throw new DatabaseUnusable(`the data directory ${path} ${isFile ? "is a file" : `can not be made: ${reason}`}`);
  }
}
