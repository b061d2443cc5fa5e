// The console: memberships, the audit log, payments, and totals of usage, so that a page of usage reads few rows.
import type { ColumnTypes } from "../migration.ts";

export const consoleTables = {
  name: "console",
  statements: ({ uuid, timestamp, boolean, bigint, tableEnd, clusteredTableEnd, withoutStatistics }: ColumnTypes) => [
    `create table memberships (
      workspace_id ${uuid} not null references workspaces (id),
      person_id ${uuid} not null references people (id) on delete cascade,
      role text not null check (role in ('owner', 'admin', 'member')),
      created_at ${timestamp} not null,
      primary key (workspace_id, person_id)
    ) ${clusteredTableEnd}`,
    "create index memberships_by_person on memberships (person_id)",
    "alter table teams add column visibility text not null default 'internal' check (visibility in ('private', 'internal'))",
    `create table team_memberships (
      workspace_id ${uuid} not null,
      team_id ${uuid} not null,
      person_id ${uuid} not null,
      role text not null check (role in ('admin', 'editor', 'viewer')),
      created_at ${timestamp} not null,
      primary key (workspace_id, team_id, person_id),
      foreign key (workspace_id, team_id) references teams (workspace_id, id) on delete cascade,
      foreign key (workspace_id, person_id) references memberships (workspace_id, person_id) on delete cascade
    ) ${clusteredTableEnd}`,
    "create index team_memberships_by_person on team_memberships (workspace_id, person_id)",

    // A link that works once; only its hash is kept. Without a workspace it makes the first administrator. teams is JSON:
    // [{"teamId","role"}].
    `create table invitations (
      id ${uuid} primary key,
      workspace_id ${uuid} references workspaces (id),
      email text,
      role text not null check (role in ('owner', 'admin', 'member')),
      teams text not null,
      token_hash text not null unique,
      invited_by ${uuid},
      is_mailed ${boolean} not null,
      created_at ${timestamp} not null,
      expires_at ${timestamp} not null,
      accepted_at ${timestamp},
      revoked_at ${timestamp}
    ) ${tableEnd}`,
    "create index invitations_by_workspace on invitations (workspace_id, created_at)",

    `create table access_tokens (
      id ${uuid} primary key,
      workspace_id ${uuid} not null,
      person_id ${uuid} not null,
      name text not null,
      secret_hash text not null unique,
      secret_start text not null,
      may_write ${boolean} not null,
      created_at ${timestamp} not null,
      last_used_at ${timestamp},
      expires_at ${timestamp} not null,
      foreign key (workspace_id, person_id) references memberships (workspace_id, person_id) on delete cascade
    ) ${tableEnd}`,
    "create index access_tokens_by_person on access_tokens (person_id)",

    // Append-only: nothing changes or removes a row. Who it was is also kept by name, because people go. before and after are JSON.
    // Entries about accounts belong to no workspace and have the nil id.
    `create table audit_log (
      workspace_id ${uuid} not null,
      id ${uuid} not null,
      at ${timestamp} not null,
      actor_kind text not null check (actor_kind in ('person', 'token', 'command', 'payment', 'service')),
      actor_id text,
      actor_name text not null,
      client_address text,
      action text not null,
      target_kind text not null,
      target_id text,
      target_name text,
      before text,
      after text,
      primary key (workspace_id, id)
    ) ${clusteredTableEnd}`,
    "create index audit_log_by_time on audit_log (workspace_id, at, id)",
    // Entries about an account are read by account.
    "create index audit_log_by_target on audit_log (workspace_id, target_id, at, id)",

    // One row for each amount due. The reference is the provider's checkout id, or one that the operator records.
    `create table payments (
      workspace_id ${uuid} not null references workspaces (id),
      id ${uuid} not null,
      provider text not null check (provider in ('manual', 'stripe')),
      reference text,
      purpose text not null check (purpose in ('package', 'invoice')),
      subject text not null,
      amount_cents ${bigint} not null check (amount_cents >= 0),
      status text not null check (status in ('open', 'paid', 'failed')),
      requested_by ${uuid},
      created_at ${timestamp} not null,
      settled_at ${timestamp},
      primary key (workspace_id, id)
    ) ${tableEnd}`,
    // One transfer may pay several rows; a checkout at a provider pays one.
    "create unique index payments_of_checkout on payments (provider, reference) where provider <> 'manual'",
    "create index payments_by_time on payments (workspace_id, created_at, id)",
    "create unique index payments_of_invoice on payments (workspace_id, subject) where purpose = 'invoice' and status <> 'failed'",
    // The provider's own event ids, and the references that operators recorded: the same report twice is one.
    `create table payment_events (
      provider text not null,
      event_id text not null,
      received_at ${timestamp} not null,
      primary key (provider, event_id)
    ) ${clusteredTableEnd}`,

    // Whom a workspace's invoices are billed to, if that was ever set. address is JSON, line by line.
    `create table billing_details (
      workspace_id ${uuid} primary key references workspaces (id),
      name text not null,
      address text not null,
      tax_id text,
      updated_at ${timestamp} not null
    ) ${tableEnd}`,
    // Both sides of an invoice as JSON, as they were called when it was first opened: never changed afterwards.
    `create table invoice_parties (
      workspace_id ${uuid} not null references workspaces (id),
      month text not null,
      seller text not null,
      billed_to text not null,
      created_at ${timestamp} not null,
      primary key (workspace_id, month)
    ) ${clusteredTableEnd}`,

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
    // The node that inserts the row sends the warning.
    `create table quota_warnings (
      workspace_id ${uuid} not null references workspaces (id),
      month text not null,
      percent integer not null,
      created_at ${timestamp} not null,
      primary key (workspace_id, month, percent)
    ) ${clusteredTableEnd}`,

    // created_by is null for keys made by command. The secret from before a rotation is accepted until previous_secret_until.
    "alter table api_keys add column created_by text",
    "alter table api_keys add column previous_secret_hash text",
    `alter table api_keys add column previous_secret_until ${timestamp}`,
    "create unique index api_keys_by_previous_secret on api_keys (previous_secret_hash) where previous_secret_hash is not null",

    // The team of a call; null for none or several, and for calls before this migration.
    `alter table ledger add column team_id ${uuid}`,
    // Totals of the calls of each key, up to its mark; the few rows after the mark are read from the ledger. team_id is '' for none.
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
    `create table usage_marks (
      workspace_id ${uuid} not null,
      key_id ${uuid} not null,
      key_call ${bigint} not null,
      admitted_at ${timestamp} not null,
      primary key (workspace_id, key_id)
    ) ${clusteredTableEnd}`,
    // Calls that were folded before are below every mark.
    `insert into usage_totals (workspace_id, day, key_id, operation, status, team_id, calls, units)
      select workspace_id, day, key_id, operation, status, '', calls, units from usage_days`,
    ...(withoutStatistics ? tables.map((table) => withoutStatistics(table, "workspace_id")) : []),
  ],
};

const tables = [
  "memberships",
  "team_memberships",
  "invitations",
  "access_tokens",
  "audit_log",
  "payments",
  "billing_details",
  "invoice_parties",
  "quota_warnings",
  "usage_totals",
  "usage_marks",
];
