// A thread for short work: it does one task after the other, and one that takes too long ends with it, while everything else goes on.
import "../support/once.ts";
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TaskThread, type TaskThreadSettings } from "../../src/platform/task-thread.ts";

const directory = mkdtempSync(join(tmpdir(), "task-thread-"));
const module = join(directory, "thread.ts");
writeFileSync(
  module,
  `import { serveTasks } from ${JSON.stringify(join(import.meta.dir, "../../src/platform/serve-tasks.ts"))};
   let done = 0;
   serveTasks((task) => {
     if (task === "forever") for (;;) done += 0;
     if (task === "exit") process.exit(3);
     done += 1;
     return task + done;
   });`,
);
afterAll(() => rmSync(directory, { recursive: true }));

const owner = { workspace: "w", key: "k" };
const usual: TaskThreadSettings = {
  name: "test",
  queue: { total: 3, workspace: 2, key: 2 },
  waitMilliseconds: 60_000,
  taskMilliseconds: 60_000,
  idleMilliseconds: 60_000,
};

function open(changes: Partial<TaskThreadSettings> = {}) {
  const started: Worker[] = [];
  const start = () => {
    const worker = new Worker(module, { ref: false });
    started.push(worker);
    return worker;
  };
  return { thread: new TaskThread<string, string>({ ...usual, ...changes }, start), started };
}

test("tasks are done one after the other by the same thread, more than may wait are not, and none after it was closed", async () => {
  const { thread, started } = open();
  const answers = ["a", "b", "c", "d"].map((task) => thread.run(owner, task));
  expect(thread.state).toEqual({ name: "test", waiting: 2, max: 3 });
  expect(await Promise.all(answers)).toEqual(["a1", "b2", "c3", undefined]);
  expect(started).toHaveLength(1);
  thread.close();
  expect(await thread.run(owner, "e")).toBeUndefined();
});

test("a task that never ends is ended with its thread, while this thread goes on, and the next task gets another thread", async () => {
  const { thread, started } = open({ taskMilliseconds: 300 });
  expect(await thread.run(owner, "a")).toBe("a1");
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks += 1;
  }, 1);
  const [forever, next] = [thread.run(owner, "forever"), thread.run(owner, "b")];
  expect(await forever).toBeUndefined();
  clearInterval(ticking);
  expect(ticks).toBeGreaterThan(10);
  expect(await next).toBe("b1");
  expect(started).toHaveLength(2);
  thread.close();
});

test("a thread that fails is replaced, one that cannot start does nothing, and one without work ends", async () => {
  const { thread, started } = open({ idleMilliseconds: 1 });
  expect(await thread.run(owner, "exit")).toBeUndefined();
  expect(await thread.run(owner, "a")).toBe("a1");
  const [, second] = started;
  await new Promise((resolve) => second?.addEventListener("close", resolve));
  expect(await thread.run(owner, "b")).toBe("b1");
  thread.close();
  const broken = new TaskThread<string, string>(usual, () => new Worker(join(directory, "missing.ts"), { ref: false }));
  expect(await broken.run(owner, "a")).toBeUndefined();
});
