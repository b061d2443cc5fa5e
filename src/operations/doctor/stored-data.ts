// The stored data of an instance as the doctor sees it: read only, whatever state it is in.
import type { Config } from "../../config.ts";
import type { Work } from "../../platform/database/database.ts";
import { Inspector } from "../../platform/database/inspect.ts";
import type { DatabaseLocation } from "../../platform/database/location.ts";
import { readSchema, type Table } from "../../platform/database/schema.ts";
import { whenConnectionIsFree } from "../free-connection.ts";

export interface StoredData {
  readonly config: Config;
  readonly engine: DatabaseLocation["engine"];
  /** The tables that this version of the program expects. */
  readonly tables: readonly Table[];
  /** Reads one consistent state. The first read opens the database. @throws DatabaseUnusable, DatabaseUnavailable */
  readonly read: <T>(work: Work<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

export function openStoredData(config: Config): StoredData {
  let inspector: Inspector | undefined;
  return {
    config,
    engine: config.database.engine,
    tables: readSchema(),
    read: (work) => {
      inspector ??= new Inspector(config.database);
      const opened = inspector;
      return whenConnectionIsFree(() => opened.read(work));
    },
    close: async () => inspector?.close(),
  };
}
