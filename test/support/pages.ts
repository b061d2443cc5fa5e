// Tests of the console's pages run once, on SQLite: pages do not depend on the engine, and a browser is slow.
import { beforeAll, test } from "bun:test";
import { engine } from "./engine.ts";

const isHere = engine.name === "sqlite";

export const pageTest: typeof test = isHere ? test : (test.skip as typeof test);

/** Prepares what all tests of a file need, such as a browser, if page tests run. */
export const beforePages = (make: () => Promise<unknown>, milliseconds?: number): void => {
  if (isHere) beforeAll(make, milliseconds);
};
