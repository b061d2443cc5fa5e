// Background jobs: how often each ran, how long it took, and when it last succeeded.
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { JobObserver } from "../../platform/jobs.ts";

const durationBucketsSeconds = [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600];

/** The label is `job_name`, because Prometheus itself sets `job`. */
export function observeJobs(registry: Registry): JobObserver {
  const registers = [registry];
  const runs = new Counter({
    name: "commonplace_job_runs_total",
    help: "Runs of background jobs, by job and outcome.",
    labelNames: ["job_name", "outcome"],
    registers,
  });
  const lastSuccess = new Gauge({
    name: "commonplace_job_last_success_timestamp_seconds",
    help: "When the job last succeeded on this node, in seconds since 1970; before the first success, when the node started.",
    labelNames: ["job_name"],
    registers,
  });
  const duration = new Histogram({
    name: "commonplace_job_duration_seconds",
    help: "Duration of a run, including pauses that give requests priority.",
    labelNames: ["job_name"],
    buckets: durationBucketsSeconds,
    registers,
  });
  const interval = new Gauge({
    name: "commonplace_job_interval_seconds",
    help: "Interval of the job.",
    labelNames: ["job_name"],
    registers,
  });
  return {
    scheduled(name, everySeconds) {
      interval.set({ job_name: name }, everySeconds);
      // Prometheus sees no increase in a series that begins with its first event.
      for (const outcome of ["success", "failure"]) runs.inc({ job_name: name, outcome }, 0);
      lastSuccess.set({ job_name: name }, Date.now() / 1_000);
      duration.zero({ job_name: name });
    },
    finished(name, outcome, seconds) {
      runs.inc({ job_name: name, outcome });
      if (outcome === "success") lastSuccess.set({ job_name: name }, Date.now() / 1_000);
      duration.observe({ job_name: name }, seconds);
    },
  };
}
