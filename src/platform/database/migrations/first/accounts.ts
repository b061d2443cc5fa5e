// Workspaces and their teams, who belongs to them, and what was changed by whom.
import type { ColumnTypes } from "../../migration.ts";

export const accounts = ({ uuid, timestamp, boolean, bigint, tableEnd, clusteredTableEnd }: ColumnTypes): string[] => [
  // deleted_at: an owner deleted it. Nothing works there until it is restored, and after some days its rows are removed.
  `create table workspaces (
    id ${uuid} primary key,
    name text not null,
    monthly_requests ${bigint} not null check (monthly_requests >= 0),
    credit_limit_cents ${bigint} not null default 0 check (credit_limit_cents >= 0),
    subscription text not null check (subscription in ('active', 'inactive')),
    sign_in_policy text not null default 'any',
    created_at ${timestamp} not null,
    updated_at ${timestamp} not null,
    deleted_at ${timestamp}
  ) ${clusteredTableEnd}`,
  "create index workspaces_deleted on workspaces (deleted_at) where deleted_at is not null",
  // deleted_at: an administrator deleted it. It does not exist for anybody until it is restored, and after some days its rows are removed.
  `create table teams (
    workspace_id ${uuid} not null references workspaces (id),
    id ${uuid} not null,
    name text not null,
    visibility text not null default 'internal' check (visibility in ('private', 'internal')),
    created_at ${timestamp} not null,
    deleted_at ${timestamp},
    primary key (workspace_id, id)
  ) ${clusteredTableEnd}`,
  // Each request reads the deleted teams of its workspace, of which there are hardly ever any.
  "create index teams_deleted on teams (workspace_id, deleted_at, id) where deleted_at is not null",

  `create table memberships (
    workspace_id ${uuid} not null references workspaces (id),
    person_id ${uuid} not null references people (id) on delete cascade,
    role text not null check (role in ('owner', 'admin', 'member')),
    created_at ${timestamp} not null,
    primary key (workspace_id, person_id)
  ) ${clusteredTableEnd}`,
  "create index memberships_by_person on memberships (person_id)",
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
  "create index invitations_by_inviter on invitations (invited_by)",

  // scopes is JSON: {"library":"read"}.
  `create table access_tokens (
    id ${uuid} primary key,
    workspace_id ${uuid} not null,
    person_id ${uuid} not null,
    name text not null,
    secret_hash text not null unique,
    secret_start text not null,
    scopes text not null,
    created_at ${timestamp} not null,
    last_used_at ${timestamp},
    expires_at ${timestamp} not null,
    foreign key (workspace_id, person_id) references memberships (workspace_id, person_id) on delete cascade
  ) ${tableEnd}`,
  "create index access_tokens_by_person on access_tokens (person_id)",
  // Where a token was used from: its use from elsewhere is audited.
  `create table token_networks (
    token_id ${uuid} not null references access_tokens (id) on delete cascade,
    network text not null,
    first_at ${timestamp} not null,
    primary key (token_id, network)
  ) ${clusteredTableEnd}`,

  // Append-only. Who it was is also kept by name, because people go. before and after are JSON. Entries about accounts belong to no
  // workspace and have the nil id. number counts the entries of a workspace without gaps; hash covers the row and the hash before it.
  // Names, addresses, and details are covered by hashes of their own with a random salt, so that a person can be forgotten: then the
  // values and the salt are gone, and the hash stays.
  `create table audit_log (
    workspace_id ${uuid} not null,
    id ${uuid} not null,
    at ${timestamp} not null,
    actor_kind text not null,
    actor_id text,
    actor_name text not null,
    client_address text,
    action text not null,
    target_kind text not null,
    target_id text,
    target_name text,
    before text,
    after text,
    number ${bigint} not null,
    actor_salt text,
    actor_hash text not null,
    details_salt text,
    details_hash text not null,
    hash text not null,
    primary key (workspace_id, id)
  ) ${clusteredTableEnd}`,
  "create unique index audit_log_by_number on audit_log (workspace_id, number)",
  // The newest entry of each workspace. Entries up to removed_number were removed when their time was over, the last of them with
  // removed_hash. Entries up to exported_number were sent to where the operator wants them; one node at a time sends further ones.
  `create table audit_chains (
    workspace_id ${uuid} primary key,
    number ${bigint} not null,
    hash text not null,
    removed_number ${bigint} not null,
    removed_hash text not null,
    exported_number ${bigint} not null default 0,
    export_claimed_until ${timestamp}
  ) ${clusteredTableEnd}`,
  "create index audit_log_by_time on audit_log (workspace_id, at, id)",
  "create index audit_log_by_actor on audit_log (workspace_id, actor_id)",
  // Entries about an account are read by account.
  "create index audit_log_by_target on audit_log (workspace_id, target_id, at, id)",
];
