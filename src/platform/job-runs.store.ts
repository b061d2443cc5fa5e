// The rows of job runs: one for each job, shared by all nodes of a database.
import type { Transaction } from "./database/database.ts";
import { list, sql } from "./database/sql.ts";

export interface JobRunRow {
  readonly job: string;
  readonly every_seconds: number;
  /** When the process started that wrote the row last. */
  readonly running_since: string;
  readonly last_started_at: string | null;
  readonly last_succeeded_at: string | null;
  readonly last_failed_at: string | null;
  /** What went wrong then, in one line. */
  readonly last_failure: string | null;
}

export const listJobRuns = (transaction: Transaction): Promise<JobRunRow[]> =>
  transaction.all<JobRunRow>(
    sql`select job, every_seconds, running_since, last_started_at, last_succeeded_at, last_failed_at, last_failure
        from job_runs order by job`,
  );

/** What this process does not know yet stays as another one wrote it. */
export const saveJobRun = (transaction: Transaction, row: JobRunRow): void =>
  transaction.send(
    sql`insert into job_runs
          (job, every_seconds, running_since, last_started_at, last_succeeded_at, last_failed_at, last_failure)
        values (${row.job}, ${row.every_seconds}, ${row.running_since}, ${row.last_started_at}, ${row.last_succeeded_at},
          ${row.last_failed_at}, ${row.last_failure})
        on conflict (job) do update set every_seconds = excluded.every_seconds, running_since = excluded.running_since,
          last_started_at = coalesce(excluded.last_started_at, job_runs.last_started_at),
          last_succeeded_at = coalesce(excluded.last_succeeded_at, job_runs.last_succeeded_at),
          last_failed_at = coalesce(excluded.last_failed_at, job_runs.last_failed_at),
          last_failure = coalesce(excluded.last_failure, job_runs.last_failure)`,
  );

/** Deletes the rows of jobs that the settings no longer require. */
export const deleteOtherJobs = (transaction: Transaction, jobs: readonly string[]): void =>
  transaction.send(sql`delete from job_runs where job not in ${list(jobs)}`);
