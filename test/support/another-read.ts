// A long read of somebody else, beside which the thread for long reads is used on both engines.
import type { Database } from "../../src/platform/database/database.ts";
import { afterThisTest } from "./cleanup.ts";
import { engine } from "./engine.ts";

const longMilliseconds = 600_000;

/** Starts it; PostgreSQL, where a lone read also runs in the thread, needs none. It ends with the test. @returns ends it */
export function readBeside(database: Database): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (engine.name !== "sqlite") return resolve;
  const running = database.aside(() => promise, longMilliseconds, { workspace: "another", key: "another" });
  afterThisTest(() => {
    resolve();
    return running;
  });
  return resolve;
}
