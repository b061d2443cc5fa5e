// The thread of a `TaskThread`.
import { parentPort } from "node:worker_threads";
import { threadIsReady } from "./task-thread.ts";
import { yieldToRequests } from "./thread-priority.ts";

/** Does the tasks that the thread gets. @param work returns the answer, and does not throw */
export function serveTasks<Task, Answer>(work: (task: Task) => Answer): void {
  yieldToRequests();
  parentPort?.on("message", (task: Task) => parentPort?.postMessage(work(task)));
  parentPort?.postMessage(threadIsReady);
}
