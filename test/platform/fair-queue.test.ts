// Fair turns: nobody waits for everything that another workspace or key has put in, and no queue grows without a limit.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { type WaitingCall, WaitingCalls } from "../../src/platform/database/waiting-calls.ts";
import { FairQueue, type Owner } from "../../src/platform/fair-queue.ts";
import { FairSlots } from "../../src/platform/fair-slots.ts";
import { Beginnings } from "../../src/platform/http/beginnings.ts";
import { Turns } from "../../src/platform/turns.ts";

const wide = { total: 10_000, workspace: 10_000, key: 10_000 };
const long = 60_000;
const owner = (workspace: string, key = "only"): Owner => ({ workspace, key });

/** What is left, in the order in which it goes. */
function drain<Item>(queue: FairQueue<Item>): Item[] {
  const items: Item[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
}

test("workspaces take turns, then the keys of each; what one key puts in stays in order", () => {
  const queue = new FairQueue<string>(wide);
  for (const number of [1, 2, 3]) queue.push(owner("one", "a"), `a${number}`);
  for (const number of [1, 2, 3]) queue.push(owner("one", "b"), `b${number}`);
  for (const number of [1, 2, 3]) queue.push(owner("two"), `c${number}`);
  expect(drain(queue)).toEqual(["a1", "c1", "b1", "c2", "a2", "c3", "b2", "a3", "b3"]);
});

test("after a thousand of one key, the first of another one goes next", () => {
  const queue = new FairQueue<number>(wide);
  for (let number = 1; number <= 1_000; number += 1) queue.push(owner("loud"), number);
  expect([queue.shift(), queue.shift()]).toEqual([1, 2]);
  queue.push(owner("quiet"), 5_000);
  queue.push(owner("loud", "other"), 6_000);
  expect([queue.shift(), queue.shift(), queue.shift()]).toEqual([5_000, 6_000, 3]);
  expect(queue.size).toBe(997);
  expect(drain(queue)).toEqual(Array.from({ length: 997 }, (_, index) => index + 4));
});

test("one that is full refuses the next, of the key, of the workspace, or of anyone, until one has gone", () => {
  const queue = new FairQueue<number>({ total: 4, workspace: 3, key: 2 });
  const push = (workspace: string, key: string) => queue.push(owner(workspace, key), 1);
  expect([push("one", "a"), push("one", "a"), push("one", "a")]).toEqual([true, true, false]);
  expect([push("one", "b"), push("one", "b"), push("one", "c")]).toEqual([true, false, false]);
  expect([push("two", "d"), push("three", "e")]).toEqual([true, false]);
  queue.shift();
  expect([push("one", "a"), push("one", "a")]).toEqual([true, false]);
});

test("places go round, and the last one is left to another workspace than the one that holds all others", async () => {
  const slots = new FairSlots("places", 4, wide);
  const came: string[] = [];
  const take = async (name: string) => {
    const release = await slots.acquire(owner(name), long);
    if (typeof release === "string") throw new Error(release);
    came.push(name);
    return release;
  };
  const loud = Array.from({ length: 10 }, () => take("loud"));
  const quiet = await take("quiet");
  expect(came).toEqual(["loud", "loud", "loud", "quiet"]);
  expect(slots.state).toEqual({ name: "places", waiting: 7, max: 10_000 });
  const patient = [take("quiet"), take("third")];
  (await loud[0])?.();
  quiet();
  (await patient[0])?.();
  (await patient[1])?.();
  for (const each of loud.slice(1)) (await each)();
  expect(came.slice(4, 7)).toEqual(["loud", "quiet", "third"]);
  expect(slots.state.waiting).toBe(0);
});

test("who waits for too long for a place is told so, and so is at once who finds too many waiting", async () => {
  const slots = new FairSlots("places", 1, { total: 1, workspace: 1, key: 1 });
  const first = await slots.acquire(owner("one"), long);
  const impatient = slots.acquire(owner("one"), 1);
  expect(await slots.acquire(owner("two"), long)).toBe("full");
  expect(await impatient).toBe("late");
  if (typeof first !== "string") first();
  expect(await slots.acquire(owner("two"), long)).toBeFunction();
});

/** Who goes on in each round of the event loop. */
function watchRounds() {
  const rounds: string[][] = [];
  let isOver = false;
  const countRounds = () => {
    rounds.push([]);
    if (!isOver) setImmediate(countRounds);
  };
  countRounds();
  return {
    rounds,
    end: () => {
      isOver = true;
    },
  };
}

test("in each round of the event loop, one computation goes on, in fair turns", async () => {
  const turns = new Turns(() => true);
  const { rounds, end } = watchRounds();
  const compute = async (name: string) => {
    await turns.take(owner(name));
    rounds.at(-1)?.push(name);
  };
  const computing = [...Array.from({ length: 20 }, () => compute("loud")), compute("quiet")];
  expect(turns.state.waiting).toBe(20);
  await Promise.all(computing);
  end();
  expect(Math.max(...rounds.map(({ length }) => length))).toBe(1);
  expect(rounds.flat().indexOf("quiet")).toBeLessThanOrEqual(2);
  expect(turns.state.waiting).toBe(0);
});

test("computations that begin together take turns from the first portion on, with time for others between two long ones", async () => {
  const turns = new Turns(() => true);
  const { rounds, end } = watchRounds();
  const compute = async (name: string) => {
    const breathe = turns.breather(owner(name));
    await breathe();
    rounds.at(-1)?.push(name);
    for (const until = performance.now() + 3; performance.now() < until; );
  };
  await Promise.all(["one", "one", "two"].map(compute));
  end();
  const busy = rounds.flatMap((names, round) => (names.length > 0 ? [{ names, round }] : []));
  expect(busy.map(({ names }) => names)).toEqual([["one"], ["one"], ["two"]]);
  for (const [index, { round }] of busy.entries())
    expect(round - (busy[index - 1]?.round ?? -10)).toBeGreaterThanOrEqual(4);
});

/** Takes a turn that lasts this long, and the next one. @returns when the next one began, in milliseconds from the first */
async function nextAfter(turns: Turns, milliseconds: number): Promise<number> {
  await turns.take(owner("loud"));
  const next = turns.take(owner("loud"));
  const startedAt = performance.now();
  for (const until = startedAt + milliseconds; performance.now() < until; );
  await new Promise(setImmediate);
  expect(turns.mayOthersGo).toBe(false);
  await next;
  return performance.now() - startedAt;
}

test("after a very long turn, the next one begins as long again later while there are small requests", async () => {
  // A timer may be a millisecond early.
  expect(await nextAfter(new Turns(() => true), 20)).toBeGreaterThanOrEqual(39);
});

test("a turn that exceeds its portion a little is followed by a short rest: what takes longer makes no leap", async () => {
  expect(await nextAfter(new Turns(() => true), 6)).toBeGreaterThanOrEqual(9);
});

test("without small requests, the next turn begins after some rounds of the event loop, however long the last one was", async () => {
  const turns = new Turns(() => false);
  let rounds = 0;
  let isOver = false;
  const count = () => {
    rounds += 1;
    if (!isOver) setImmediate(count);
  };
  const next = nextAfter(turns, 20).then(() => {
    isOver = true;
  });
  setImmediate(count);
  await next;
  // With a rest of 20 ms, there would be thousands.
  expect(rounds).toBeLessThan(20);
});

test("beside long calls, which rest after each group, short ones go on; alone, long calls follow one another", () => {
  const waiting = new WaitingCalls<WaitingCall & { readonly name: string }>();
  const push = (name: string, isShort: boolean) => waiting.push({ name, owner: owner(name), isShort, weight: 64 });
  const take = (mayBeLong: boolean) => waiting.take(0, mayBeLong).map(({ name }) => name);
  for (const name of ["long", "long", "long"]) push(name, false);
  push("short", true);
  expect(take(false)).toEqual(["short"]);
  expect(take(false)).toEqual([]);
  push("short", true);
  expect([take(true), take(true), take(true), take(true)]).toEqual([["long"], ["short"], ["long"], ["long"]]);
});

test("requests that arrive: 64 are begun in a round, and the connections of a client, as well as clients, take turns", async () => {
  const beginnings = new Beginnings();
  const begun: string[] = [];
  const arrive = (client: string, connection: string, count: number) => {
    for (let left = count; left > 0; left -= 1)
      void beginnings.begin(owner(client, connection)).then(() => begun.push(connection));
  };
  for (let number = 1; number <= 4; number += 1) arrive("loud", `loud ${number}`, 32);
  arrive("loud", "another", 1);
  arrive("quiet", "quiet", 1);
  while (begun.length < 70) await new Promise(setImmediate);
  expect(begun.slice(0, 64)).toEqual(Array.from({ length: 64 }, (_, index) => (index < 32 ? "loud 1" : "loud 2")));
  expect(begun.slice(64, 70)).toEqual(["loud 3", "quiet", "loud 4", "another", "loud 3", "loud 4"]);
});

test("long calls that their group had no time for are the next group of their kind, before those that came later", () => {
  const waiting = new WaitingCalls<WaitingCall & { readonly name: string }>();
  const push = (name: string, isShort: boolean) => waiting.push({ name, owner: owner(name), isShort, weight: 32 });
  const take = () => waiting.take(0, true).map(({ name }) => name);
  for (const name of ["first", "second", "third"]) push(name, false);
  waiting.putBack(waiting.take(0, true).slice(1));
  push("short", true);
  expect(waiting.size).toBe(3);
  expect([take(), take(), take(), take()]).toEqual([["short"], ["second"], ["third"], []]);
});

test("something long that takes no turns goes on again and again beside one that waits for a turn, which gets it in between", async () => {
  const turns = new Turns(() => true);
  const order: string[] = [];
  let isOver = false;
  const work = async () => {
    while (!isOver && order.length < 1_000) {
      await new Promise(setImmediate);
      if (!turns.mayOthersGo) continue;
      order.push("long");
      turns.rest();
    }
  };
  const working = work();
  for (let turn = 1; turn <= 3; turn += 1) {
    await Bun.sleep(1);
    await turns.take(owner("patient"));
    order.push("turn");
  }
  isOver = true;
  await working;
  expect(order.filter((name) => name === "turn")).toHaveLength(3);
  expect(order.join(" ")).toMatch(/^(?:long )+turn (?:long )+turn (?:long )+turn/);
});
