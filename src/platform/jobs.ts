// Background jobs: work that the service does at intervals, besides serving requests, until it stops. One runner starts, times, logs and
// records them all; which jobs there are is the table in src/jobs.ts.
import { createPace, type Pace } from "./breather.ts";
import type { Outages } from "./database/outages.ts";
import type { JobRuns } from "./job-runs.ts";
import { describeCause, type Log } from "./log.ts";

/** Resolves after the time, or as soon as the signal aborts. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Delays a request by this time. */
export type Pause = (milliseconds: number) => Promise<void>;

/** Waits in real time. It does not keep the process alive. */
export const wait: Wait = (milliseconds, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    timer.unref();
    signal.addEventListener("abort", end);
  });

/** Lets waiting requests go first. @returns false when the service is stopping: then the work ends here */
export type YieldToCalls = () => Promise<boolean>;

/** What the log says about a run, in addition to the job's name and its duration. */
export type RunFields = Readonly<Record<string, unknown>>;

export interface JobRun {
  /** Aborts when the service stops. */
  readonly signal: AbortSignal;
  /** Called before each portion of the work. */
  readonly yieldToCalls: YieldToCalls;
  /** Called all the time by long computations. */
  readonly pace: Pace;
}

/**
 * What keeps the nodes of one database from doing the same work at once. The work itself takes the lock: a row that it locks or changes
 * conditionally. "none": doing it twice does no harm, or each node has its own.
 */
export type JobLock =
  | "none"
  | "workspace row"
  | "warning row"
  | "mail row"
  | "delivery row"
  | "number row"
  | "attempt row"
  | "chain row";

export interface Job {
  readonly name: string;
  readonly everySeconds: number;
  /** Chosen anew between once and twice this time, so that nodes that start together do not run the job together. */
  readonly firstAfterSeconds: number;
  readonly lock: JobLock;
  /** Does the work once. @returns what there is to log, undefined when there was nothing to do */
  readonly run: (run: JobRun) => Promise<RunFields | undefined>;
  /**
   * For a job whose time is a time of day rather than an interval since its last run: asked at least this often, because the clock may be
   * set and the computer may sleep.
   */
  readonly due?: { readonly isDue: () => boolean; readonly askedEverySeconds: number };
  /** What the log says of a failure. Default: the error with its stack and its causes. */
  readonly describeFailure?: (cause: unknown) => string;
  /** Waits in real time even where tests replace the wait, because what it examines has its own clock. */
  readonly isInRealTime?: boolean;
}

/** Receives every finished run. It must be quick and must not throw. */
export interface JobObserver {
  /** The job is in the table of this process. */
  scheduled(job: string, everySeconds: number): void;
  finished(job: string, outcome: "success" | "failure", seconds: number): void;
}

export interface JobDependencies {
  readonly log: Log;
  readonly wait?: Wait | undefined;
  readonly observer?: JobObserver | undefined;
  /** Whether there are no requests to make room for. */
  readonly isQuiet?: () => boolean;
  /** Log failures of the database, which are those of requests too. */
  readonly outages?: Pick<Outages, "absorb"> | undefined;
  /** Where runs are recorded for the doctor. */
  readonly runs?: JobRuns | undefined;
}

/** Starts all jobs. @returns what stops them: resolved when none of them runs any more */
export function startJobs(jobs: readonly Job[], dependencies: JobDependencies): () => Promise<void> {
  const stopping = new AbortController();
  for (const job of jobs) dependencies.observer?.scheduled(job.name, job.everySeconds);
  const running = jobs.map((job) => repeat(job, dependencies, stopping.signal));
  return async () => {
    stopping.abort();
    await Promise.all(running);
  };
}

async function repeat(job: Job, dependencies: JobDependencies, signal: AbortSignal): Promise<void> {
  const { firstAfterSeconds, everySeconds, due, isInRealTime = false } = job;
  const waitFor = isInRealTime ? wait : (dependencies.wait ?? wait);
  if (firstAfterSeconds > 0) await waitFor(firstAfterSeconds * (1 + Math.random()) * 1_000, signal);
  while (!signal.aborted) {
    if (due?.isDue() ?? true) await runOnce(job, dependencies, waitFor, signal);
    if (signal.aborted) return;
    await waitFor((due?.askedEverySeconds ?? everySeconds) * 1_000, signal);
  }
}

async function runOnce(
  { name: job, run, describeFailure = describeCause }: Job,
  { log, observer, outages, runs, isQuiet = () => false }: JobDependencies,
  waitFor: Wait,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now();
  runs?.started(job);
  const finish = async (outcome: "success" | "failure", failure?: string) => {
    observer?.finished(job, outcome, (performance.now() - startedAt) / 1_000);
    if (!signal.aborted) await runs?.finished(job, failure);
  };
  const durationMilliseconds = () => Math.round(performance.now() - startedAt);
  try {
    const fields = await run({
      signal,
      yieldToCalls: yieldWith(waitFor, signal),
      pace: createPace((milliseconds) => waitFor(milliseconds, signal), isQuiet),
    });
    if (fields) log.write("info", "job finished", { job, durationMilliseconds: durationMilliseconds(), ...fields });
    await finish("success");
  } catch (error) {
    // Work that the stop interrupted has not failed: the next start does it.
    if (signal.aborted) return;
    const cause = describeFailure(error);
    if (!outages?.absorb(error, { job }))
      log.write("error", "job failed", { job, durationMilliseconds: durationMilliseconds(), cause });
    await finish("failure", cause);
  }
}

/** After a portion of work, the pause for requests lasts this many times the portion's duration. */
const pauseFactor = 9;

function yieldWith(waitFor: Wait, signal: AbortSignal): YieldToCalls {
  let startedAt = performance.now();
  return async () => {
    await waitFor((performance.now() - startedAt) * pauseFactor, signal);
    startedAt = performance.now();
    return !signal.aborted;
  };
}
