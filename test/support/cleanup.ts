// What is done after the last test of all files. The test runner ends without the events of `process`, so that only this is
// sure to run; it is loaded before the first file (bunfig.toml).
import { afterAll } from "bun:test";

const cleanups: (() => void)[] = [];

/** The last that was asked for is done first. */
export const afterAllTests = (cleanup: () => void): void => {
  cleanups.push(cleanup);
};

afterAll(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});
