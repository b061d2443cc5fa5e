// The request log: what a refused request was told, how long each request took and who sent it, and counts of requests that were not admitted.
import type { ColumnTypes } from "../migration.ts";

export const requestLog = {
  name: "request-log",
  statements: ({ uuid, timestamp, bigint, clusteredTableEnd, withoutStatistics }: ColumnTypes) => [
    // All are null in rows from before; the error columns also in rows of successful requests.
    "alter table ledger add column error_code text",
    "alter table ledger add column error_message text",
    `alter table ledger add column duration_microseconds ${bigint}`,
    "alter table ledger add column client_address text",

    // Requests of a known key that the ledger does not have, because they were not admitted: one row per key, minute and reason.
    // client_address is null when they came from several.
    `create table refused_requests (
      workspace_id ${uuid} not null,
      key_id ${uuid} not null,
      minute ${timestamp} not null,
      reason text not null,
      requests ${bigint} not null check (requests > 0),
      client_address text,
      primary key (workspace_id, key_id, minute, reason)
    ) ${clusteredTableEnd}`,
    "create index refused_requests_by_time on refused_requests (workspace_id, minute, key_id, reason)",
    "create index refused_requests_by_age on refused_requests (minute)",
    ...(withoutStatistics ? [withoutStatistics("refused_requests", "workspace_id")] : []),
  ],
};
