// Background jobs: when each last ran and last succeeded.
import type { ColumnTypes } from "../migration.ts";

export const jobRuns = {
  name: "job-runs",
  statements: ({ timestamp, clusteredTableEnd }: ColumnTypes) => [
    `create table job_runs (
      job text primary key,
      every_seconds integer not null,
      running_since ${timestamp} not null,
      last_started_at ${timestamp},
      last_succeeded_at ${timestamp},
      last_failed_at ${timestamp},
      last_failure text
    ) ${clusteredTableEnd}`,
  ],
};
