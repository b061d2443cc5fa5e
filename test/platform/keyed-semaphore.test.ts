// Calls that would only wait for the same row wait in memory and leave the connections to others.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { KeyedSemaphore } from "../../src/platform/keyed-semaphore.ts";

const long = 10_000;
const required = (end: (() => void) | undefined): (() => void) => {
  if (!end) throw new Error("the key was not free in time");
  return end;
};

test("so many go on at once, the others in the order in which they came; each key has holders of its own", async () => {
  const semaphore = new KeyedSemaphore(2);
  const [first, second] = [required(await semaphore.acquire("a", long)), required(await semaphore.acquire("a", long))];
  const came: number[] = [];
  const acquire = async (number: number) => {
    const end = required(await semaphore.acquire("a", long));
    came.push(number);
    return end;
  };
  const [third, fourth, fifth] = [acquire(3), acquire(4), acquire(5)];
  required(await semaphore.acquire("b", 0))();
  expect(came).toEqual([]);
  second();
  (await third)();
  (await fourth)();
  first();
  (await fifth)();
  expect(came).toEqual([3, 4, 5]);
});

test("who waits for too long is told so, and takes the key from nobody", async () => {
  const semaphore = new KeyedSemaphore(1);
  const first = required(await semaphore.acquire("a", long));
  const impatient = semaphore.acquire("a", 1);
  const patient = semaphore.acquire("a", long);
  expect(await impatient).toBeUndefined();
  first();
  required(await patient)();
  required(await semaphore.acquire("a", 0))();
});
