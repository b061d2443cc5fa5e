// Runs a measurement on both engines, one after the other.
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
  readonly startService: () => Promise<Server>;
}

/** @param directory is created for the databases and the files of the measurement */
export async function onBothEngines(
  directory: string,
  measure: (engine: Engine) => Promise<Result[]>,
): Promise<Result[]> {
  mkdirSync(directory);
  const engine = (name: string, location: Config["database"], url: string): Engine => ({
    name,
    withDatabase: (work) => withDatabase(location, directory, work),
    refreshStatistics: async () => {
      if (location.engine === "postgres") await refreshStatistics(url);
    },
    startService: () => startService(directory, { COMMONPLACE_DATABASE_URL: url }),
  });
  const path = join(directory, "commonplace.db");
  const embedded = await measure(engine("SQLite", { engine: "sqlite", path }, `sqlite:${path}`));
  const { url, stop } = await startDatabase();
  try {
    return [...embedded, ...(await measure(engine("PostgreSQL", { engine: "postgres", url }, url)))];
  } finally {
    await stop();
  }
}
