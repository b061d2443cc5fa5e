// Those who would only wait for the same row wait for their turn in memory, and leave the connections to others.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { Turns } from "../../src/platform/keyed-semaphore.ts";

const long = 10_000;
const required = (end: (() => void) | undefined): (() => void) => {
  if (!end) throw new Error("the turn did not come");
  return end;
};

test("so many go on at once, the others in the order in which they came; each thing has turns of its own", async () => {
  const turns = new Turns(2);
  const [first, second] = [required(await turns.take("a", long)), required(await turns.take("a", long))];
  const came: number[] = [];
  const take = async (number: number) => {
    const end = required(await turns.take("a", long));
    came.push(number);
    return end;
  };
  const [third, fourth, fifth] = [take(3), take(4), take(5)];
  required(await turns.take("b", 0))();
  expect(came).toEqual([]);
  second();
  (await third)();
  (await fourth)();
  first();
  (await fifth)();
  expect(came).toEqual([3, 4, 5]);
});

test("who waits for too long is told so, and takes the turn from nobody", async () => {
  const turns = new Turns(1);
  const first = required(await turns.take("a", long));
  const impatient = turns.take("a", 1);
  const patient = turns.take("a", long);
  expect(await impatient).toBeUndefined();
  first();
  required(await patient)();
  required(await turns.take("a", 0))();
});
