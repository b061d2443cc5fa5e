// Searches on a machine that is busy with other things.
import { beforeAll } from "bun:test";
import { limits } from "../../src/contract/limits.ts";
import { afterThisFile } from "./cleanup.ts";

/**
 * Gives the searches of a file as much time as they need. A search may wait for a processor longer than the service lets it take. A page
 * repeats it then, but the browser complains. test/platform/aside.test.ts shows that searches are ended in time.
 */
export const allowSlowSearches = (): void =>
  beforeAll(() => {
    const { searchMilliseconds } = limits;
    Object.assign(limits, { searchMilliseconds: 30_000 });
    afterThisFile(() => Object.assign(limits, { searchMilliseconds }));
  });
