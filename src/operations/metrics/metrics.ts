// The metrics of the service for Prometheus. The server and the database report events to observers; state is read at each scrape.
// Rules know nothing of metrics, and no label names a caller.
import { Registry } from "prom-client";
import type { SignInObserver } from "../../accounts/sign-in/evidence.ts";
import type { DeliveryObserver } from "../../metering/alerts/deliveries.ts";
import type { DatabaseObserver } from "../../platform/database/database.ts";
import type { RequestObserver } from "../../platform/http/observer.ts";
import type { JobObserver } from "../../platform/jobs.ts";
import { observeDatabase, watchPool } from "./database.ts";
import { observeJobs } from "./jobs.ts";
import { listen } from "./listener.ts";
import { watchEventLoop, watchProcess } from "./process.ts";
import { observeRequests } from "./requests.ts";
import { type Sources, watchService } from "./service.ts";
import { observeSignIns } from "./sign-ins.ts";
import { observeWebhooks } from "./webhooks.ts";

export interface Metrics {
  readonly requests: RequestObserver;
  readonly database: DatabaseObserver;
  readonly jobs: JobObserver;
  readonly signIns: SignInObserver;
  readonly webhooks: DeliveryObserver;
  /** Starts the listener of /metrics. @returns its port, which the system chose if 0 was given. @throws OperatorError if it is taken */
  listen(sources: Sources): number;
  stop(): void;
}

export function createMetrics(host: string, port: number): Metrics {
  const registry = new Registry();
  let stop = () => {};
  return {
    requests: observeRequests(registry),
    database: observeDatabase(registry),
    jobs: observeJobs(registry),
    signIns: observeSignIns(registry),
    webhooks: observeWebhooks(registry),
    listen: (sources) => {
      // Gauges are read in this order: readiness takes a connection, which would count as one in use.
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
