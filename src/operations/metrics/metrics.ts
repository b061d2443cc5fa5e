// What the service counts of itself, for Prometheus. Numbers come in one way: who answers calls and who runs the database tell an
// observer, and what only stands somewhere is looked up when somebody asks. No rule knows of it, and no label names a caller.
import { Registry } from "prom-client";
import type { DatabaseObserver } from "../../platform/database/database.ts";
import type { RequestObserver } from "../../platform/http/observer.ts";
import type { JobObserver } from "../../platform/jobs.ts";
import { observeCalls } from "./calls.ts";
import { observeDatabase, watchPool } from "./database.ts";
import { observeJobs } from "./jobs.ts";
import { listen } from "./listener.ts";
import { watchEventLoop, watchProcess } from "./process.ts";
import { type Sources, watchService } from "./service.ts";

export interface Metrics {
  readonly requests: RequestObserver;
  readonly database: DatabaseObserver;
  readonly jobs: JobObserver;
  /** Answers from here on. @returns the port, which the system chose where 0 was asked for. @throws OperatorError when it is taken */
  listen(sources: Sources): number;
  stop(): void;
}

export function createMetrics(host: string, port: number): Metrics {
  const registry = new Registry();
  let stop = () => {};
  return {
    requests: observeCalls(registry),
    database: observeDatabase(registry),
    jobs: observeJobs(registry),
    listen: (sources) => {
      // Looked up in this order: readiness takes a connection, which would show as one in use.
      watchPool(registry, sources.database);
      watchService(registry, sources);
      watchProcess(registry);
      const listening = listen(host, port, registry);
      const stopWatching = watchEventLoop(registry);
      stop = () => {
        listening.stop();
        stopWatching();
      };
      return listening.port;
    },
    stop: () => stop(),
  };
}
