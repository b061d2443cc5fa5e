// Cleans up after each test, each test file, and the last of all. The test runner ends without the events of `process`, so only this
// is certain to run; it is loaded before the first file (bunfig.toml).
import { afterAll, afterEach, beforeEach } from "bun:test";

type Cleanup = () => unknown;

const cleanups: Cleanup[] = [];
const cleanupsOfFile: { readonly file: string; readonly cleanup: Cleanup }[] = [];
const cleanupsOfTest: Cleanup[] = [];
/** More than one if a file runs its tests concurrently. */
let testsRunning = 0;
const cleanupMilliseconds = 300_000;

/** Registers a cleanup after all tests. The last one registered runs first; each is awaited. */
export const afterAllTests = (cleanup: Cleanup): void => {
  cleanups.push(cleanup);
};

/**
 * Registers a cleanup after the running test file. It runs before the first test of the next file, or after the last file,
 * concurrently with the others of the file.
 */
export const afterThisFile = (cleanup: Cleanup): void => {
  cleanupsOfFile.push({ file: Bun.main, cleanup });
};

/** Registers a cleanup after the running test; outside of a test, as in `beforeAll`, after the file. */
export const afterThisTest = (cleanup: Cleanup): void => {
  if (testsRunning === 0) afterThisFile(cleanup);
  else cleanupsOfTest.push(cleanup);
};

/** Uses `Bun.main`, the file whose tests run, since the test runner has no hook for the end of each file. */
async function cleanUpAfterFiles(isOver: (file: string) => boolean): Promise<void> {
  if (!cleanupsOfFile.some(({ file }) => isOver(file))) return;
  const over = cleanupsOfFile.filter(({ file }) => isOver(file));
  cleanupsOfFile.splice(0, cleanupsOfFile.length, ...cleanupsOfFile.filter(({ file }) => !isOver(file)));
  await Promise.all(over.map(({ cleanup }) => cleanup()));
}

beforeEach(async () => {
  testsRunning += 1;
  await cleanUpAfterFiles((file) => file !== Bun.main);
}, cleanupMilliseconds);

afterEach(async () => {
  testsRunning -= 1;
  if (testsRunning === 0) await Promise.all(cleanupsOfTest.splice(0).map((cleanup) => cleanup()));
}, cleanupMilliseconds);

afterAll(async () => {
  await cleanUpAfterFiles(() => true);
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}, cleanupMilliseconds);
