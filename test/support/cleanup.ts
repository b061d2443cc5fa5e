// What is done after the last test of all files. The test runner ends without the events of `process`, so that only this is
// sure to run; it is loaded before the first file (bunfig.toml).
import { afterAll } from "bun:test";

const cleanups: (() => unknown)[] = [];
const cleanupMilliseconds = 300_000;

/** The last that was asked for is done first, and waited for. */
export const afterAllTests = (cleanup: () => unknown): void => {
  cleanups.push(cleanup);
};

afterAll(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}, cleanupMilliseconds);
