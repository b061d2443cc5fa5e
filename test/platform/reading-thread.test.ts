// The thread for long reads: it finds what the main thread would find, holds nobody up, and may end at any time.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { DatabaseTooSlow, Overloaded } from "../../src/platform/database/database.ts";
import { ReadingThread } from "../../src/platform/database/reading-thread.ts";
import { JsonText } from "../../src/platform/json-text.ts";
import { queueLimits } from "../../src/platform/queue-limits.ts";
import { readBeside } from "../support/another-read.ts";
import { afterThisTest } from "../support/cleanup.ts";
import { databaseConfig, engine, openNode } from "../support/engine.ts";
import { type Behavior, toldRead } from "../support/reading-thread.ts";
import { startService } from "../support/service.ts";

const owner = { workspace: "a workspace", key: "a key" };

/** A node with a thread, which is ready. */
async function startNode() {
  const { dataDirectory, clock } = await startService();
  const lines: string[] = [];
  const thread = new ReadingThread(
    join(import.meta.dir, "../support/reading-thread.ts"),
    { database: (await databaseConfig(dataDirectory)).database, connections: 1, hasClock: true },
    { write: (level, message, fields) => lines.push(JSON.stringify({ level, message, ...fields })), flush: () => {} },
    { readsBeforeStart: 0, restartMilliseconds: 0 },
  );
  const database = await openNode(dataDirectory, () => clock.now, thread);
  const endOther = readBeside(database);
  afterThisTest(() => database.close());
  const read = (behavior: Behavior, milliseconds = 60_000) =>
    database.readLong(toldRead, behavior, { milliseconds, owner, reserve: () => undefined });
  const untilReady = async () => {
    while ((await read("reads")).isMainThread) await Bun.sleep(5);
  };
  await untilReady();
  return { database, clock, lines, read, untilReady, endOther };
}

test("it finds the same at the same time; only what is large is read by the main thread", async () => {
  const { clock, read } = await startNode();
  clock.advance(1_000);
  const data = { now: new Date(clock.now).toISOString(), text: "\u2028 ß 🦜 \u0001" };
  const { data: found, ...others } = await read("reads");
  expect(found).toEqual(new JsonText(JSON.stringify(data)));
  expect(others).toEqual({ isMainThread: false });
  expect(await read("is large")).toEqual({ data, isMainThread: true });
});

test.skipIf(engine.name !== "sqlite")(
  "on SQLite, a read that is alone is done at once, by the main thread",
  async () => {
    const { read, endOther } = await startNode();
    expect((await read("reads")).isMainThread).toBe(false);
    endOther();
    while (!(await read("reads")).isMainThread) await Bun.sleep(5);
  },
);

test("a read that takes too long ends, while others are done", async () => {
  const { read } = await startNode();
  const slow = read("goes on", 1_000).catch((error) => error);
  if (engine.name === "sqlite") expect((await read("reads")).isMainThread).toBe(false);
  expect(await slow).toBeInstanceOf(DatabaseTooSlow);
  expect((await read("reads")).isMainThread).toBe(false);
});

test("where too many wait, the next one is refused at once", async () => {
  const { database, read } = await startNode();
  const searches = () => database.queues().find(({ name }) => name === "searches")?.waiting;
  const slow: Promise<unknown>[] = [];
  const outcome = () => read("goes on", 1_000).catch((error) => error);
  while (searches() !== queueLimits.longReads.key) slow.push(outcome());
  expect(await outcome()).toBeInstanceOf(Overloaded);
  await Promise.all(slow);
  expect(searches()).toBe(0);
});

test.each(["ends", "fails"] as const)(
  "when the thread %s, the main one does what it left, the log says so, and it is started again",
  async (how) => {
    const { read, untilReady, lines } = await startNode();
    const [first] = await Promise.all([read(how), read("reads"), read("reads")]);
    expect(first.isMainThread).toBe(true);
    const logged = lines.map((line) => JSON.parse(line));
    if (how === "fails")
      expect(logged.splice(1, 1)).toMatchObject([
        { level: "error", message: "the search thread failed", cause: expect.stringContaining("nobody catches") },
      ]);
    expect(logged[1]).toEqual({
      level: "error",
      message: "the search thread ended; until it is started again, searches run in the main thread",
      searches: expect.any(Number),
    });
    await untilReady();
  },
);

test("closing the database waits for what is read, and ends the thread", async () => {
  const { database, read, lines, endOther } = await startNode();
  const last = read("reads");
  const closed = database.close();
  endOther();
  await closed;
  expect((await last).isMainThread).toBe(false);
  expect(lines).toHaveLength(1);
});
