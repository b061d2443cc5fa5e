// Opens the database that the settings name. Code that only a database server needs is loaded only for one.
import { existsSync, mkdirSync, statSync } from "node:fs";
import type { Turns } from "../turns.ts";
import { type Clock, type Database, type DatabaseObserver, DatabaseUnusable, steadyClock } from "./database.ts";
import type { DatabaseLocation } from "./location.ts";
import type { OnStep } from "./migrate.ts";
import type { ReadingSettings, ReadingThread } from "./reading-thread.ts";
import { lockForService } from "./service-lock.ts";
import { openSqlite, openSqliteForReading, type SqliteOptions } from "./sqlite.ts";
import { callTimeouts, commandTimeouts, exportTimeouts, type Timeouts } from "./timeouts.ts";

export interface DatabaseSettings {
  readonly dataDirectory: string;
  readonly database: DatabaseLocation;
  /** Connections that one node opens at most to a database server. */
  readonly databaseConnections: number;
}

export interface OpenOptions {
  /** The clock of the embedded engine. A database server has its own; only tests replace it. */
  readonly clock?: Clock | undefined;
  /** Refuses to create a database: for commands that need an existing one. */
  readonly mustExist?: boolean;
  /** For a database server. Default: those of commands. */
  readonly timeouts?: Timeouts;
  readonly observer?: DatabaseObserver | undefined;
  /** Of the process, which long reads take. */
  readonly turns?: Turns | undefined;
  /** Does long reads. */
  readonly thread?: ReadingThread | undefined;
  /** Called before and after a step that may take long. */
  readonly onStep?: OnStep | undefined;
  /** Called when the process has to end, because the disk of the embedded engine failed. */
  readonly onFailure?: SqliteOptions["onFailure"];
}

/** @throws DatabaseUnusable with one clear line */
export async function openDatabase(
  { dataDirectory, database, databaseConnections: connections }: DatabaseSettings,
  {
    clock,
    mustExist = false,
    timeouts = commandTimeouts,
    observer,
    onStep,
    onFailure,
    turns,
    thread,
  }: OpenOptions = {},
): Promise<Database> {
  if (!mustExist) makeDataDirectory(dataDirectory);
  if (database.engine === "sqlite")
    return openSqlite(database.path, clock ?? steadyClock(), { mustExist, observer, onStep, onFailure, turns, thread });
  const { openPostgres } = await import("./postgres.ts");
  return openPostgres(database.url, { connections, timeouts, clock, mustExist, observer, turns, thread, onStep });
}

/**
 * Lets no other process serve this database. Nodes share one on a database server, and a data directory then holds nothing that two could
 * damage.
 * @throws DatabaseUnusable that names the process that serves it
 */
export function holdDatabase(
  { dataDirectory, database }: Pick<DatabaseSettings, "dataDirectory" | "database">,
  since: string,
): void {
  if (database.engine !== "sqlite") return;
  makeDataDirectory(dataDirectory);
  lockForService(database.path, since);
}

/** Opens a database that is in use, for `aside` only. */
export async function openForReading(
  { database, connections, hasClock }: ReadingSettings,
  clock: Clock,
): Promise<Database> {
  if (database.engine === "sqlite") return openSqliteForReading(database.path, clock);
  const { openPostgresForReading } = await import("./postgres.ts");
  const timeouts = callTimeouts;
  return openPostgresForReading(database.url, { connections, timeouts, clock: hasClock ? clock : undefined });
}

/** The same, for an export. */
export async function openForExport(database: DatabaseLocation): Promise<Database> {
  if (database.engine === "sqlite") return openSqliteForReading(database.path, steadyClock());
  const { openPostgresForReading } = await import("./postgres.ts");
  return openPostgresForReading(database.url, { connections: 1, timeouts: exportTimeouts, readsPages: true });
}

function makeDataDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const isFile = existsSync(path) && statSync(path).isFile();
    const reason = error instanceof Error ? error.message.split(", ")[0] : error;
    throw new DatabaseUnusable(`the data directory ${path} ${isFile ? "is a file" : `cannot be created: ${reason}`}`);
  }
}
