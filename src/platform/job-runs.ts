// When each job last ran and last succeeded, recorded in the database for the doctor: at most one write a minute for all jobs together.
import type { Database } from "./database/database.ts";
import type { Outages } from "./database/outages.ts";
import { deleteOtherJobs, saveJobRun } from "./job-runs.store.ts";
import { describeCause, type Log } from "./log.ts";
import { redactSecrets } from "./secrets/secrets.ts";
import { addMilliseconds } from "./time.ts";

const writtenEverySeconds = 60;
const failureLengthMax = 300;

/** Moments by this process's stopwatch; undefined: not since its start. */
interface RunState {
  readonly everySeconds: number;
  startedAt: number | undefined;
  succeededAt: number | undefined;
  failedAt: number | undefined;
  failure: string | undefined;
}

/** Where failures are logged. */
export interface JobRunsReport {
  readonly log: Log;
  readonly outages?: Pick<Outages, "absorb">;
}

export class JobRuns {
  readonly #database: Database;
  readonly #report: JobRunsReport;
  readonly #everySeconds: number;
  readonly #runningSince = performance.now();
  readonly #states: ReadonlyMap<string, RunState>;
  /** Jobs whose row is behind. At first all, so that one that never runs is seen as well. */
  readonly #unwritten: Set<string>;
  #writtenAt = performance.now();
  #isFirst = true;

  /** @param everySeconds tests write more often */
  constructor(
    database: Database,
    jobs: readonly { readonly name: string; readonly everySeconds: number }[],
    report: JobRunsReport,
    everySeconds = writtenEverySeconds,
  ) {
    this.#database = database;
    this.#report = report;
    this.#everySeconds = everySeconds;
    const none = { startedAt: undefined, succeededAt: undefined, failedAt: undefined, failure: undefined };
    this.#states = new Map(jobs.map((job) => [job.name, { ...none, everySeconds: job.everySeconds }]));
    this.#unwritten = new Set(this.#states.keys());
  }

  started(job: string): void {
    const state = this.#states.get(job);
    if (!state) return;
    state.startedAt = performance.now();
    this.#unwritten.add(job);
  }

  /** @param failure undefined where the run succeeded. Resolves when it is written, where a write is due; never rejects. */
  async finished(job: string, failure: string | undefined): Promise<void> {
    const state = this.#states.get(job);
    if (!state) return;
    const now = performance.now();
    if (failure === undefined) state.succeededAt = now;
    else {
      state.failedAt = now;
      state.failure = redactSecrets(failure.split("\n", 1)[0] ?? "").slice(0, failureLengthMax);
    }
    this.#unwritten.add(job);
    if (now < this.#writtenAt + this.#everySeconds * 1_000) return;
    this.#writtenAt = now;
    await this.#write().catch((cause) => {
      const { log, outages } = this.#report;
      if (!outages?.absorb(cause, {})) log.write("warn", "could not record job runs", { cause: describeCause(cause) });
    });
  }

  async #write(): Promise<void> {
    const jobs = [...this.#unwritten].sort();
    await this.#database.transaction(async (transaction) => {
      const stopwatch = performance.now();
      const moment = (at: number | undefined) =>
        at === undefined ? null : addMilliseconds(transaction.now, Math.round(at - stopwatch));
      if (this.#isFirst) deleteOtherJobs(transaction, [...this.#states.keys()]);
      for (const job of jobs) {
        const state = this.#states.get(job);
        if (!state) continue;
        saveJobRun(transaction, {
          job,
          every_seconds: state.everySeconds,
          running_since: addMilliseconds(transaction.now, Math.round(this.#runningSince - stopwatch)),
          last_started_at: moment(state.startedAt),
          last_succeeded_at: moment(state.succeededAt),
          last_failed_at: moment(state.failedAt),
          last_failure: state.failure ?? null,
        });
      }
    });
    this.#isFirst = false;
    for (const job of jobs) this.#unwritten.delete(job);
  }
}
