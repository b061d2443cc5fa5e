// The first schema. Every key begins with the workspace, so that the data can be partitioned by workspace. Columns have the names of the
// API's fields, so that a selected row is nearly the record.
import type { ColumnTypes } from "../migration.ts";

export const first = {
  name: "first",
  statements: ({ uuid, timestamp, boolean, bigint, tableEnd, clusteredTableEnd }: ColumnTypes) => [
    `create table workspaces (
      id ${uuid} primary key,
      name text not null,
      monthly_requests ${bigint} not null check (monthly_requests >= 0),
      subscription text not null check (subscription in ('active', 'inactive')),
      created_at ${timestamp} not null,
      updated_at ${timestamp} not null
    ) ${clusteredTableEnd}`,
    `create table teams (
      workspace_id ${uuid} not null references workspaces (id),
      id ${uuid} not null,
      name text not null,
      created_at ${timestamp} not null,
      primary key (workspace_id, id)
    ) ${clusteredTableEnd}`,

    // A deleted key keeps its row, without the hash, so that its usage keeps a name.
    `create table api_keys (
      workspace_id ${uuid} not null references workspaces (id),
      id ${uuid} not null,
      name text not null,
      secret_hash text unique,
      secret_start text not null,
      is_active ${boolean} not null,
      is_all_teams ${boolean} not null,
      call_count ${bigint} not null,
      created_at ${timestamp} not null,
      last_used_at ${timestamp},
      deactivated_at ${timestamp},
      deleted_at ${timestamp},
      primary key (workspace_id, id)
    ) ${tableEnd}`,
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
      kind text not null check (kind in ('monthly', '100K', '500K', '1M')),
      units ${bigint} not null check (units >= 0),
      reference text unique,
      created_at ${timestamp} not null,
      primary key (workspace_id, id),
      foreign key (workspace_id, month) references quota_months (workspace_id, month)
    ) ${clusteredTableEnd}`,
    "create unique index quota_grants_monthly on quota_grants (workspace_id, month) where kind = 'monthly'",

    // Append-only. id is the request id; key_call numbers the admitted calls of a key, so that a window of time is also a
    // number of calls. The rate limit reads the second index on every call.
    `create table ledger (
      workspace_id ${uuid} not null,
      id ${uuid} not null,
      key_id ${uuid} not null,
      key_call ${bigint} not null,
      operation text not null,
      status integer not null,
      units ${bigint} not null check (units >= 0),
      balance_after ${bigint} not null check (balance_after >= 0),
      admitted_at ${timestamp} not null,
      primary key (workspace_id, id)
    ) ${clusteredTableEnd}`,
    "create index ledger_by_key on ledger (workspace_id, key_id, admitted_at, key_call)",

    `create table folders (
      workspace_id ${uuid} not null,
      id ${uuid} not null,
      team_id ${uuid} not null,
      parent_folder_id ${uuid},
      folder_name text not null,
      folder_color text not null,
      created_at ${timestamp} not null,
      updated_at ${timestamp} not null,
      primary key (workspace_id, id),
      foreign key (workspace_id, team_id) references teams (workspace_id, id),
      foreign key (workspace_id, parent_folder_id) references folders (workspace_id, id)
    ) ${tableEnd}`,
    "create index folders_by_parent on folders (workspace_id, parent_folder_id)",
    `create table tags (
      workspace_id ${uuid} not null,
      id ${uuid} not null,
      team_id ${uuid} not null,
      parent_tag_id ${uuid},
      tag_name text not null,
      tag_color text not null,
      created_at ${timestamp} not null,
      updated_at ${timestamp} not null,
      primary key (workspace_id, id),
      foreign key (workspace_id, team_id) references teams (workspace_id, id),
      foreign key (workspace_id, parent_tag_id) references tags (workspace_id, id)
    ) ${tableEnd}`,
    "create index tags_by_parent on tags (workspace_id, parent_tag_id)",

    // A snippet's row holds its first variation with the current text, so that a snippet is read and created as one row. The IDs of that
    // variation and of its first version follow from the snippet's (library/snippet-ids.ts): they are null until others take their
    // place, and the times are null while they are those of the snippet. A variation is created with its snippet, at the same time. The
    // text is the last column: what precedes it is read without it.
    `create table snippets (
      workspace_id ${uuid} not null,
      id ${uuid} not null,
      team_id ${uuid} not null,
      folder_id ${uuid},
      title text not null,
      snippet_note text,
      shortcut text,
      is_archived ${boolean} not null,
      created_by ${uuid} not null,
      created_at ${timestamp} not null,
      updated_at ${timestamp} not null,
      has_tags ${boolean} not null,
      variation_count integer not null check (variation_count > 0),
      variation_id ${uuid},
      variation_name text not null,
      variant_order_index integer not null,
      variation_updated_at ${timestamp},
      version_id ${uuid},
      changed_at ${timestamp},
      content_type text not null,
      content text not null,
      primary key (workspace_id, id),
      foreign key (workspace_id, team_id) references teams (workspace_id, id),
      foreign key (workspace_id, folder_id) references folders (workspace_id, id)
    ) ${tableEnd}`,
    "create index snippets_by_folder on snippets (workspace_id, folder_id, created_at, id) where folder_id is not null",
    "create unique index snippets_by_variation on snippets (workspace_id, variation_id) where variation_id is not null",

    // The further variations of a snippet, each with its current text.
    `create table variations (
      workspace_id ${uuid} not null,
      id ${uuid} not null,
      snippet_id ${uuid} not null,
      name text not null,
      variant_order_index integer not null,
      updated_at ${timestamp} not null,
      version_id ${uuid} not null,
      changed_at ${timestamp} not null,
      content_type text not null,
      content text not null,
      primary key (workspace_id, id),
      unique (workspace_id, snippet_id, variant_order_index),
      foreign key (workspace_id, snippet_id) references snippets (workspace_id, id) on delete cascade
    ) ${tableEnd}`,
    // The texts that variations had before. A variation keeps its order index for life, also when it moves into the snippet's row.
    `create table former_versions (
      workspace_id ${uuid} not null,
      snippet_id ${uuid} not null,
      variant_order_index integer not null,
      changed_at ${timestamp} not null,
      id ${uuid} not null,
      content_type text not null,
      content text not null,
      primary key (workspace_id, snippet_id, variant_order_index, changed_at, id),
      foreign key (workspace_id, snippet_id) references snippets (workspace_id, id) on delete cascade
    ) ${tableEnd}`,

    // The snippet's creation time is repeated here, so that a page of a tag's snippets is one index scan.
    `create table snippet_tags (
      workspace_id ${uuid} not null,
      snippet_id ${uuid} not null,
      tag_id ${uuid} not null,
      snippet_created_at ${timestamp} not null,
      primary key (workspace_id, snippet_id, tag_id),
      foreign key (workspace_id, snippet_id) references snippets (workspace_id, id) on delete cascade,
      foreign key (workspace_id, tag_id) references tags (workspace_id, id) on delete cascade
    ) ${clusteredTableEnd}`,
    "create index snippet_tags_by_tag on snippet_tags (workspace_id, tag_id, snippet_created_at, snippet_id)",
  ],
};
