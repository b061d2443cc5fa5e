// Background work makes room for requests: it rests longer than it works, except while there are none.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { createPace } from "../../src/platform/breather.ts";
import { Demand, sizeOf } from "../../src/platform/demand.ts";

/** The rests of work that always goes on until it has to rest. */
async function restsOf(isQuiet: () => boolean): Promise<number[]> {
  const rests: number[] = [];
  const pace = createPace(async (milliseconds) => void rests.push(milliseconds), isQuiet);
  while (rests.length < 3) await pace(9);
  return rests;
}

test("background work rests nine times as long as it has worked, and hardly at all while there are no requests", async () => {
  for (const rest of await restsOf(() => false)) expect(rest).toBeGreaterThanOrEqual(18);
  expect(await restsOf(() => true)).toEqual([1, 1, 1]);
});

test("it is quiet once no request is in progress and none has just ended", () => {
  let now = 0;
  const demand = new Demand(() => now);
  expect(demand.isQuiet()).toBe(true);
  demand.begin("small");
  demand.begin("small");
  demand.end("small");
  now += 1_000;
  expect(demand.isQuiet()).toBe(false);
  demand.end("small");
  expect(demand.isQuiet()).toBe(false);
  now += 1_000;
  expect(demand.isQuiet()).toBe(true);
});

test("a request with a large body is demand, but makes no other large request wait", () => {
  let now = 0;
  const demand = new Demand(() => now);
  const [small, large] = [sizeOf(null), sizeOf("90000")];
  demand.begin(large);
  expect([demand.isQuiet(), demand.hasSmall()]).toEqual([false, false]);
  demand.begin(small);
  expect(demand.hasSmall()).toBe(true);
  demand.end(small);
  expect(demand.hasSmall()).toBe(true);
  now += 1_000;
  expect([demand.isQuiet(), demand.hasSmall()]).toEqual([false, false]);
  demand.end(large);
  now += 1_000;
  expect(demand.isQuiet()).toBe(true);
});
