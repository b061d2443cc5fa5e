// Tests of the console's pages. Pages do not know which engine runs, and a browser takes its time: they run once, on SQLite.
import { beforeAll, test } from "bun:test";
import { engine } from "./engine.ts";

const isHere = engine.name === "sqlite";

export const pageTest: typeof test = isHere ? test : (test.skip as typeof test);

/** What all tests of a file need, such as a browser; only where they run. */
export const beforePages = (make: () => Promise<unknown>, milliseconds?: number): void => {
  if (isHere) beforeAll(make, milliseconds);
};
