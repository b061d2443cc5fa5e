// Alerts: who receives which, which were sent, and deliveries to webhooks.
import type { ColumnTypes } from "../../migration.ts";

export const alerts = ({ uuid, timestamp, boolean, clusteredTableEnd, tableEnd }: ColumnTypes): string[] => [
  // Each workspace has a row. Mails go to its owners and admins, or to the addresses of alert_recipients. The secrets can be read only
  // with the instance key.
  `create table alert_settings (
    workspace_id ${uuid} primary key references workspaces (id),
    is_quota_on ${boolean} not null,
    is_expiry_on ${boolean} not null,
    is_refusals_on ${boolean} not null,
    refusals_max integer not null check (refusals_max > 0),
    is_to_administrators ${boolean} not null,
    webhook_url text,
    webhook_secret_start text,
    webhook_secret_sealed text,
    former_secret_sealed text,
    former_secret_until ${timestamp}
  ) ${clusteredTableEnd}`,
  `create table alert_recipients (
    workspace_id ${uuid} not null references workspaces (id),
    email text not null,
    primary key (workspace_id, email)
  ) ${clusteredTableEnd}`,
  "create index alert_recipients_by_email on alert_recipients (email)",

  // The node that inserts the row sends the alert.
  `create table quota_warnings (
    workspace_id ${uuid} not null references workspaces (id),
    month text not null,
    percent integer not null,
    created_at ${timestamp} not null,
    primary key (workspace_id, month, percent)
  ) ${clusteredTableEnd}`,
  // The same for keys that expire: days before the end.
  `create table key_warnings (
    workspace_id ${uuid} not null,
    key_id ${uuid} not null,
    expires_at ${timestamp} not null,
    days integer not null,
    created_at ${timestamp} not null,
    primary key (workspace_id, key_id, expires_at, days),
    foreign key (workspace_id, key_id) references api_keys (workspace_id, id) on delete cascade
  ) ${clusteredTableEnd}`,
  // When an alert about refused requests was last sent. The node that changes it sends the next one.
  `create table refusal_alerts (
    workspace_id ${uuid} not null,
    key_id ${uuid} not null,
    alerted_at ${timestamp} not null,
    primary key (workspace_id, key_id),
    foreign key (workspace_id, key_id) references api_keys (workspace_id, id) on delete cascade
  ) ${clusteredTableEnd}`,

  // Written in the transaction that raises the alert; the webhook job sends it afterwards. body is the JSON that is sent. Each attempt
  // begins by setting tries and next_try_at, so that one node makes it. There is no attempt after give_up_at.
  `create table webhook_deliveries (
    workspace_id ${uuid} not null references workspaces (id),
    id ${uuid} not null,
    type text not null,
    body text not null,
    state text not null check (state in ('waiting', 'delivered', 'failed')),
    tries integer not null,
    created_at ${timestamp} not null,
    next_try_at ${timestamp} not null,
    give_up_at ${timestamp} not null,
    last_try_at ${timestamp},
    last_status integer,
    last_failure text,
    primary key (workspace_id, id)
  ) ${tableEnd}`,
  "create index webhook_deliveries_waiting on webhook_deliveries (next_try_at) where state = 'waiting'",
  "create index webhook_deliveries_by_age on webhook_deliveries (created_at)",
];
