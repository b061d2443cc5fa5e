// The data of an instance as the doctor finds it: the engine, where it lies, and looks at it that change nothing.
import type { Config } from "../../config.ts";
import type { Work } from "../../platform/database/database.ts";
import { Looks } from "../../platform/database/inspect.ts";
import type { DatabaseLocation } from "../../platform/database/location.ts";
import { readSchema, type Table } from "../../platform/database/schema.ts";

export interface StoredData {
  readonly config: Config;
  readonly engine: DatabaseLocation["engine"];
  /** The tables of this version. */
  readonly tables: readonly Table[];
  /** One consistent look. Opens the database with the first. @throws DatabaseUnusable, DatabaseUnavailable */
  readonly look: <T>(work: Work<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

export function storedData(config: Config): StoredData {
  let looks: Looks | undefined;
  return {
    config,
    engine: config.database.engine,
    tables: readSchema(),
    look: (work) => {
      looks ??= new Looks(config.database);
      return looks.look(work);
    },
    close: async () => looks?.close(),
  };
}
