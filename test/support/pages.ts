// Tests of the console's pages run once, on SQLite: pages do not depend on the engine, and a browser is slow.
import { beforeAll, test } from "bun:test";
import { limits } from "../../src/contract/limits.ts";
import { afterThisFile } from "./cleanup.ts";
import { engine } from "./engine.ts";

const isHere = engine.name === "sqlite";

export const pageTest: typeof test = isHere ? test : (test.skip as typeof test);

/** Prepares what all tests of a file need, such as a browser, if page tests run. */
export const beforePages = (make: () => Promise<unknown>, milliseconds?: number): void => {
  if (isHere) beforeAll(make, milliseconds);
};

/**
 * Gives the searches of a file's pages as much time as they need. Next to a browser, a search may wait for a processor longer than the service
 * lets it take. The page repeats it then, but the browser complains. test/platform/aside.test.ts shows that searches are ended in time.
 */
export const allowSlowSearches = (): void =>
  beforePages(async () => {
    const { searchMilliseconds } = limits;
    Object.assign(limits, { searchMilliseconds: 30_000 });
    afterThisFile(() => Object.assign(limits, { searchMilliseconds }));
  });
