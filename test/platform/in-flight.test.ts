// When memory is given back: after large bodies, and not again and again for many that are not large.
import "../support/once.ts";
import { expect, spyOn, test } from "bun:test";
import { InFlight } from "../../src/platform/in-flight.ts";

const megabyte = 1024 * 1024;
const owner = { workspace: "one", key: "a" };

/** How often everything is collected while so many bodies of a size come and go. */
async function countCollections(count: number, bytes: number): Promise<number> {
  const max = 64 * megabyte;
  const inFlight = new InFlight({ total: max, workspace: max, key: max }, 16 * megabyte);
  const collect = spyOn(Bun, "gc").mockImplementation(() => 0);
  try {
    for (let index = 0; index < count; index += 1) {
      inFlight.reserve(owner, bytes)?.();
      await new Promise(setImmediate);
    }
    await new Promise(setImmediate);
    return collect.mock.calls.length;
  } finally {
    collect.mockRestore();
  }
}

test("after each 16 MiB of large bodies, everything is collected; after bodies below 1 MiB, never", async () => {
  expect(await countCollections(8, 8 * megabyte)).toBe(4);
  expect(await countCollections(64, megabyte)).toBe(4);
  expect(await countCollections(1_000, 128 * 1024)).toBe(0);
});
