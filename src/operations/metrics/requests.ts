// Metrics of requests: how many, how long they take, how many units they cost, and why they are refused.
import { Counter, Histogram, type Registry } from "prom-client";
import { errors } from "../../contract/errors.ts";
import { refusals } from "../../contract/openapi-responses.ts";
import { operationNames } from "../../contract/operations.ts";
import type { RequestObserver } from "../../platform/http/observer.ts";
import { addGauge } from "./gauge.ts";

const durationBucketsSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function observeRequests(registry: Registry): RequestObserver {
  const registers = [registry];
  const requests = new Counter({
    name: "commonplace_requests_total",
    help: "Requests served, by operation and status; console: the web console; mcp: agents, whose tools make requests of their own; open: pages and health checks; none: no such path or method.",
    labelNames: ["operation", "status"],
    registers,
  });
  const duration = new Histogram({
    name: "commonplace_request_duration_seconds",
    help: "Time from receiving the headers of a request to its response, by operation.",
    labelNames: ["operation"],
    buckets: durationBucketsSeconds,
    registers,
  });
  const units = new Counter({
    name: "commonplace_units_charged_total",
    help: "Units charged, by operation.",
    labelNames: ["operation"],
    registers,
  });
  const refused = new Counter({
    name: "commonplace_requests_refused_total",
    help: "Requests refused, by error code.",
    labelNames: ["code"],
    registers,
  });
  const abandoned = new Counter({
    name: "commonplace_requests_abandoned_total",
    help: "Requests that clients canceled before the service started processing them. A large number indicates an attack.",
    registers,
  });
  let inFlight = 0;
  addGauge(registry, "commonplace_requests_in_flight", "Requests received but not answered yet.", () => inFlight);
  // Prometheus sees no increase in a series that begins with its first event, so all foreseeable series begin with 0.
  for (const operation of [...operationNames, "console", "mcp", "open", "none"]) {
    requests.inc({ operation, status: operation === "none" ? 404 : 200 }, 0);
    duration.zero({ operation });
    units.inc({ operation }, 0);
  }
  for (const code of refusalCodes()) refused.inc({ code }, 0);
  return {
    received() {
      inFlight += 1;
    },
    abandoned() {
      inFlight -= 1;
      abandoned.inc();
    },
    answered({ kind: operation, status, code, units: charged, milliseconds }) {
      inFlight -= 1;
      requests.inc({ operation, status });
      duration.observe({ operation }, milliseconds / 1_000);
      if (charged > 0) units.inc({ operation }, charged);
      if (code !== undefined) refused.inc({ code });
    },
  };
}

function refusalCodes(): Set<string> {
  const described = refusals.flatMap((row) => row.examples.map((example) => example.code));
  const ofNoOperation = [errors.pathUnknown(), errors.methodNotAllowed(""), errors.draining(1)].map(({ code }) => code);
  return new Set([...described, ...ofNoOperation]);
}
