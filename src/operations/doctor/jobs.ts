// The check of the background jobs: whether each of them still succeeds.
import { type JobRunRow, listJobRuns } from "../../platform/job-runs.store.ts";
import { minuteMilliseconds } from "../../platform/time.ts";
import { formatMoment } from "../format.ts";
import { type Check, ok, warning } from "./check.ts";
import type { StoredData } from "./stored-data.ts";

/** A job is late when it has not succeeded for this many of its intervals. */
const intervalsMax = 3;
/** Added to the intervals, because runs take time and are recorded with a delay. */
const graceMilliseconds = 10 * minuteMilliseconds;

export const jobChecks: readonly Check<StoredData>[] = [
  {
    name: "jobs",
    question: "Have all background jobs succeeded recently?",
    remedy: 'Search the log of the service for "job failed". If a job hangs, restart the service.',
    examine: async ({ read }) => {
      const runs = await read(listJobRuns);
      if (runs.length === 0) return ok("no runs recorded yet: the first one appears a minute after the service starts");
      const newest = Math.max(...runs.map(lastActivity));
      const late = runs.filter((run) => newest - lastSuccess(run) > allowedMilliseconds(run));
      if (late.length > 0) return warning(late.map(describeLate).join("; "));
      return ok(runs.map(describeSuccess).join(", "));
    },
  },
];

/** When the service is known to have run. Jobs are compared with that and not with now: the jobs of a stopped service are not late. */
const lastActivity = ({ running_since, last_started_at }: JobRunRow): number =>
  Math.max(Date.parse(running_since), Date.parse(last_started_at ?? running_since));

/** The last success, or the start of the process if that was later: a job is not late because the service was stopped. */
const lastSuccess = ({ running_since, last_succeeded_at }: JobRunRow): number =>
  Math.max(Date.parse(running_since), Date.parse(last_succeeded_at ?? running_since));

const allowedMilliseconds = ({ every_seconds }: JobRunRow): number =>
  intervalsMax * every_seconds * 1_000 + graceMilliseconds;

function describeLate({ job, last_succeeded_at, last_failed_at, last_failure }: JobRunRow): string {
  const success =
    last_succeeded_at === null ? "has never succeeded" : `last succeeded ${formatMoment(last_succeeded_at)}`;
  return last_failed_at === null ? `job "${job}" ${success}` : `job "${job}" ${success}; last failure: ${last_failure}`;
}

const describeSuccess = ({ job, last_succeeded_at }: JobRunRow): string =>
  last_succeeded_at === null ? `${job}: no success yet` : `${job}: ${formatMoment(last_succeeded_at)}`;
