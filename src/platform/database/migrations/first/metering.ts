// API keys, quota, the ledger, and totals of usage, so that a page of usage reads few rows.
import type { ColumnTypes } from "../../migration.ts";

export const metering = ({
  uuid,
  timestamp,
  boolean,
  bigint,
  tableEnd,
  clusteredTableEnd,
  isShared,
}: ColumnTypes): string[] => [
  // A deleted key keeps its row, without the hash, so that its usage keeps a name. The secret from before a rotation is accepted until
  // previous_secret_until. created_by is null for keys made by command. networks is a JSON array of networks, null for all. budget_used
  // units were drawn in budget_month; both are null without a budget.
  `create table api_keys (
    workspace_id ${uuid} not null references workspaces (id),
    id ${uuid} not null,
    name text not null,
    secret_hash text unique,
    secret_start text not null,
    previous_secret_hash text,
    previous_secret_until ${timestamp},
    is_active ${boolean} not null,
    is_all_teams ${boolean} not null,
    call_count ${bigint} not null,
    scope text not null default 'read_write',
    expires_at ${timestamp},
    networks text,
    monthly_budget ${bigint} check (monthly_budget >= 0),
    budget_month text,
    budget_used ${bigint} check (budget_used >= 0),
    requests_per_minute integer check (requests_per_minute > 0),
    created_by text,
    created_at ${timestamp} not null,
    last_used_at ${timestamp},
    deactivated_at ${timestamp},
    deleted_at ${timestamp},
    primary key (workspace_id, id)
  ) ${tableEnd}`,
  // Commands and changes name a key by its ID alone.
  "create unique index api_keys_by_id on api_keys (id)",
  "create unique index api_keys_by_previous_secret on api_keys (previous_secret_hash) where previous_secret_hash is not null",
  "create index api_keys_by_expiry on api_keys (expires_at) where expires_at is not null",
  `create table api_key_teams (
    workspace_id ${uuid} not null,
    key_id ${uuid} not null,
    team_id ${uuid} not null,
    primary key (workspace_id, key_id, team_id),
    foreign key (workspace_id, key_id) references api_keys (workspace_id, id) on delete cascade,
    foreign key (workspace_id, team_id) references teams (workspace_id, id) on delete cascade
  ) ${clusteredTableEnd}`,

  `create table quota_months (
    workspace_id ${uuid} not null references workspaces (id),
    month text not null,
    balance ${bigint} not null check (balance >= 0),
    primary key (workspace_id, month)
  ) ${clusteredTableEnd}`,
  `create table quota_grants (
    workspace_id ${uuid} not null,
    id ${uuid} not null,
    month text not null,
    kind text not null,
    units ${bigint} not null check (units >= 0),
    reference text unique,
    created_at ${timestamp} not null,
    primary key (workspace_id, id),
    foreign key (workspace_id, month) references quota_months (workspace_id, month)
  ) ${clusteredTableEnd}`,
  "create unique index quota_grants_monthly on quota_grants (workspace_id, month) where kind = 'monthly'",
  // The bytes that a workspace stores in its library, and how many it may store: null for what the instance allows.
  // `changes` is the newest number in library_changes.
  `create table workspace_storage (
    workspace_id ${uuid} primary key references workspaces (id),
    bytes ${bigint} not null,
    bytes_max ${bigint} check (bytes_max >= 0),
    changes ${bigint} not null default 0
  ) ${clusteredTableEnd}`,

  // Append-only, in the order of time. id is the request id; key_call numbers the admitted calls of a key, so that a window of time is
  // also a number of calls. team_id is null for none or several; the error columns are null for successful requests.
  `create table ledger (
    workspace_id ${uuid} not null,
    id ${uuid} not null,
    key_id ${uuid} not null,
    key_call ${bigint} not null,
    operation text not null,
    team_id ${uuid},
    status integer not null,
    error_code text,
    error_message text,
    units ${bigint} not null check (units >= 0),
    balance_after ${bigint} not null check (balance_after >= 0),
    admitted_at ${timestamp} not null,
    duration_microseconds ${bigint},
    client_address text,
    primary key (workspace_id, admitted_at, id)
  ) ${clusteredTableEnd}`,
  "create unique index ledger_by_request on ledger (id)",
  // The rate limit reads this index on every call. A process that serves alone remembers the windows of its keys instead: with this
  // index, calls of 64 keys would write 64 more pages at each commit.
  ...(isShared ? ["create index ledger_by_key on ledger (workspace_id, key_id, admitted_at, key_call)"] : []),

  // What a request with an Idempotency-Key has decided, encrypted, for a repeat. Of key and request there are only digests; admitted_at and
  // request_id are those of the ledger row, which has the cost and the balance.
  `create table kept_outcomes (
    workspace_id ${uuid} not null,
    key_id ${uuid} not null,
    idempotency_hash text not null,
    request_hash text not null,
    request_id ${uuid} not null,
    outcome text not null,
    admitted_at ${timestamp} not null,
    primary key (workspace_id, key_id, idempotency_hash)
  ) ${clusteredTableEnd}`,
  "create index kept_outcomes_by_age on kept_outcomes (admitted_at)",

  // Daily totals of calls whose rows have left the ledger. The day precedes the key, because queries ask for a span of days of a
  // workspace. A day is text, YYYY-MM-DD in UTC, because the engines' own dates differ. A key's row always stays, so its total keeps a
  // name.
  `create table usage_days (
    workspace_id ${uuid} not null,
    day text not null,
    key_id ${uuid} not null,
    operation text not null,
    status integer not null,
    calls ${bigint} not null check (calls > 0),
    units ${bigint} not null check (units >= 0),
    primary key (workspace_id, day, key_id, operation, status)
  ) ${clusteredTableEnd}`,

  // Totals of all calls, of those in the ledger and of folded ones. A call is added in its own transaction. team_id is '' for none.
  `create table usage_totals (
    workspace_id ${uuid} not null,
    day text not null,
    key_id ${uuid} not null,
    operation text not null,
    status integer not null,
    team_id text not null,
    calls ${bigint} not null check (calls > 0),
    units ${bigint} not null check (units >= 0),
    primary key (workspace_id, day, key_id, operation, status, team_id)
  ) ${clusteredTableEnd}`,

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
];
