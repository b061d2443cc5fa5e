// The tables of the baselines that write or read rows without the service. They are what a straightforward schema with text keys would be,
// and stay as they are when the service's own schema changes, so that ratios of different versions can be compared.

interface Types {
  readonly uuid: string;
  readonly timestamp: string;
  readonly boolean: string;
  readonly bigint: string;
  readonly end: string;
  readonly clusteredEnd: string;
}

export const sqliteTypes: Types = {
  uuid: "text",
  timestamp: "text",
  boolean: "integer",
  bigint: "integer",
  end: "strict",
  clusteredEnd: "strict, without rowid",
};
export const postgresTypes: Types = {
  uuid: "uuid",
  timestamp: "timestamptz",
  boolean: "boolean",
  bigint: "bigint",
  end: "",
  clusteredEnd: "",
};

export const bareTables = ({ uuid, timestamp, boolean, bigint, end, clusteredEnd }: Types): string[] => [
  `create table workspaces (id ${uuid} primary key, subscription text not null) ${clusteredEnd}`,
  `create table teams (
    workspace_id ${uuid} not null references workspaces (id), id ${uuid} not null, primary key (workspace_id, id)
  ) ${clusteredEnd}`,
  `create table api_keys (
    workspace_id ${uuid} not null references workspaces (id), id ${uuid} not null, secret_hash text unique,
    is_active ${boolean} not null, is_all_teams ${boolean} not null, call_count ${bigint} not null,
    last_used_at ${timestamp}, primary key (workspace_id, id)
  ) ${end}`,
  `create table api_key_teams (
    workspace_id ${uuid} not null, key_id ${uuid} not null, team_id ${uuid} not null,
    primary key (workspace_id, key_id, team_id)
  ) ${clusteredEnd}`,
  `create table quota_months (
    workspace_id ${uuid} not null references workspaces (id), month text not null,
    balance ${bigint} not null check (balance >= 0), primary key (workspace_id, month)
  ) ${clusteredEnd}`,
  `create table ledger (
    workspace_id ${uuid} not null, id ${uuid} not null, key_id ${uuid} not null, key_call ${bigint} not null,
    operation text not null, status integer not null, units ${bigint} not null check (units >= 0),
    balance_after ${bigint} not null check (balance_after >= 0), team_id ${uuid}, admitted_at ${timestamp} not null,
    primary key (workspace_id, id)
  ) ${clusteredEnd}`,
  "create index ledger_by_key on ledger (workspace_id, key_id, admitted_at, key_call)",
  `create table snippets (
    workspace_id ${uuid} not null, id ${uuid} not null, team_id ${uuid} not null, folder_id ${uuid}, title text not null,
    snippet_note text, shortcut text, is_archived ${boolean} not null, created_by ${uuid} not null,
    created_at ${timestamp} not null, updated_at ${timestamp} not null, primary key (workspace_id, id),
    foreign key (workspace_id, team_id) references teams (workspace_id, id)
  ) ${end}`,
  "create index snippets_by_folder on snippets (workspace_id, folder_id, created_at, id)",
  `create table variations (
    workspace_id ${uuid} not null, id ${uuid} not null, snippet_id ${uuid} not null, name text not null,
    variant_order_index integer not null, version_id ${uuid} not null, created_at ${timestamp} not null,
    updated_at ${timestamp} not null, primary key (workspace_id, id),
    unique (workspace_id, snippet_id, variant_order_index),
    foreign key (workspace_id, snippet_id) references snippets (workspace_id, id) on delete cascade
  ) ${end}`,
  `create table variation_versions (
    workspace_id ${uuid} not null, id ${uuid} not null, variation_id ${uuid} not null, content_type text not null,
    content text not null, changed_at ${timestamp} not null, primary key (workspace_id, id),
    foreign key (workspace_id, variation_id) references variations (workspace_id, id) on delete cascade
  ) ${end}`,
  "create index variation_versions_by_variation on variation_versions (workspace_id, variation_id, changed_at, id)",
  `create table snippet_tags (
    workspace_id ${uuid} not null, snippet_id ${uuid} not null, tag_id ${uuid} not null,
    snippet_created_at ${timestamp} not null, primary key (workspace_id, snippet_id, tag_id)
  ) ${clusteredEnd}`,
];
