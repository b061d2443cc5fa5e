// What the service itself needs: its secrets, mails that wait, and its background jobs.
import type { ColumnTypes } from "../../migration.ts";

export const operations = ({ uuid, timestamp, tableEnd, clusteredTableEnd }: ColumnTypes): string[] => [
  // The digest of the key that all nodes share, and that is kept outside the database.
  `create table instance_keys (
    name text primary key,
    digest text not null,
    created_at ${timestamp} not null
  ) ${tableEnd}`,

  // Written in the transaction that causes the mail; the mail job sends it afterwards.
  `create table mails (
    id ${uuid} primary key,
    recipient text not null,
    subject text not null,
    body text not null,
    created_at ${timestamp} not null,
    next_try_at ${timestamp} not null,
    tries integer not null,
    sent_at ${timestamp},
    given_up_at ${timestamp}
  ) ${tableEnd}`,
  "create index mails_waiting on mails (next_try_at) where sent_at is null and given_up_at is null",

  // When each job last ran and last succeeded.
  `create table job_runs (
    job text primary key,
    every_seconds integer not null,
    running_since ${timestamp} not null,
    last_started_at ${timestamp},
    last_succeeded_at ${timestamp},
    last_failed_at ${timestamp},
    last_failure text
  ) ${clusteredTableEnd}`,

  // When each version of the program first served this database: a backup from before an upgrade is older than this. source_commit is
  // 'unknown' for a program that was built without Git.
  `create table started_versions (
    version text not null,
    source_commit text not null,
    schema_version integer not null,
    first_started_at ${timestamp} not null,
    primary key (version, source_commit)
  ) ${clusteredTableEnd}`,
];
