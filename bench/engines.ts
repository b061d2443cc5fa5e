// The two engines, each with a database of its own, for measurements that run on both.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../src/config.ts";
import type { Database } from "../src/platform/database/database.ts";
import { withDatabase } from "./instance.ts";
import { refreshStatistics, startDatabase } from "./postgres.ts";
import { type Server, startService } from "./processes.ts";
import type { Result } from "./report.ts";

/** An engine with its own database. */
export interface Engine {
  readonly name: string;
  readonly withDatabase: <Found>(work: (database: Database) => Promise<Found>) => Promise<Found>;
  /** Updates the planner's statistics after a large change. */
  readonly refreshStatistics: () => Promise<void>;
  readonly startService: (settings?: Readonly<Record<string, string>>) => Promise<Server>;
}

const engineOf = (name: string, directory: string, location: Config["database"], url: string): Engine => ({
  name,
  withDatabase: (work) => withDatabase(location, directory, work),
  refreshStatistics: async () => {
    if (location.engine === "postgres") await refreshStatistics(url);
  },
  startService: (settings) => startService(directory, { COMMONPLACE_DATABASE_URL: url, ...settings }),
});

/** @param directory must exist. @returns also the path of the database file */
export function sqliteEngine(directory: string): Engine & { readonly path: string } {
  const path = join(directory, "commonplace.db");
  return { ...engineOf("SQLite", directory, { engine: "sqlite", path }, `sqlite:${path}`), path };
}

/** @param directory must exist; for what a node keeps beside its database */
export const postgresEngine = (directory: string, url: string): Engine =>
  engineOf("PostgreSQL", directory, { engine: "postgres", url }, url);

/** Creates a database of an engine. */
export type CreateEngine = (name: string) => Promise<Engine>;

/**
 * Runs a measurement on both engines, one after the other.
 * @param directory is created for the databases and the files of the measurement
 */
export async function onBothEngines(
  directory: string,
  measure: (create: CreateEngine) => Promise<Result[]>,
): Promise<Result[]> {
  mkdirSync(directory);
  const directoryOf = (name: string): string => {
    const path = join(directory, name);
    mkdirSync(path);
    return path;
  };
  const embedded = await measure(async (name) => sqliteEngine(directoryOf(`sqlite-${name}`)));
  const { create, stop } = await startDatabase();
  try {
    const shared = await measure(async (name) =>
      postgresEngine(directoryOf(`postgres-${name}`), await create(`bench_${name}`)),
    );
    return [...embedded, ...shared];
  } finally {
    await stop();
  }
}
