// Snippets with their variations and former texts, the folders and tags that group them, and the trash.
import type { ColumnTypes } from "../../migration.ts";

export const library = (types: ColumnTypes): string[] => [...groups(types), ...snippets(types), ...trash(types)];

const groups = ({ uuid, timestamp, tableEnd }: ColumnTypes): string[] => [
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
  "create index folders_by_team on folders (workspace_id, team_id, id)",
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
  "create index tags_by_team on tags (workspace_id, team_id, id)",
  "create index tags_by_parent on tags (workspace_id, parent_tag_id)",
];

// A snippet's row holds its first variation with the current text, so that a snippet is read and created as one row. The IDs of that
// variation and of its first version follow from the snippet's (library/snippet-ids.ts): they are null until others take their
// place, and the times are null while they are those of the snippet. The text is the last column: what precedes it is read without it.
//
// Keys and people write snippets: `created_by` created one, `updated_by` changed it last, and `changed_by` wrote a text, here and in
// the tables below. The last two are null for what `created_by` wrote when it created the snippet.
const snippetColumns = ({ uuid, timestamp, boolean }: ColumnTypes): string => `
    workspace_id ${uuid} not null,
    id ${uuid} not null,
    team_id ${uuid} not null,
    folder_id ${uuid},
    title text not null,
    snippet_note text,
    shortcut text,
    is_archived ${boolean} not null,
    created_by ${uuid} not null,
    updated_by ${uuid},
    created_at ${timestamp} not null,
    updated_at ${timestamp} not null,
    has_tags ${boolean} not null,
    variation_count integer not null check (variation_count > 0),
    variation_id ${uuid},
    variation_name text not null,
    variant_order_index integer not null,
    variation_number integer,
    variation_created_at ${timestamp},
    variation_updated_at ${timestamp},
    version_id ${uuid},
    changed_at ${timestamp},
    changed_by ${uuid},
    content_type text not null,
    content text not null`;

// The further variations of a snippet, each with its current text. A null creation time is the snippet's.
const variationColumns = ({ uuid, timestamp }: ColumnTypes): string => `
    workspace_id ${uuid} not null,
    id ${uuid} not null,
    snippet_id ${uuid} not null,
    name text not null,
    variant_order_index integer not null,
    variation_number integer,
    created_at ${timestamp},
    updated_at ${timestamp} not null,
    version_id ${uuid} not null,
    changed_at ${timestamp} not null,
    changed_by ${uuid},
    content_type text not null,
    content text not null`;

// The texts that variations had before. A variation keeps its number for life, also when it is moved: null while it is its order index.
const formerVersionColumns = ({ uuid, timestamp }: ColumnTypes): string => `
    workspace_id ${uuid} not null,
    snippet_id ${uuid} not null,
    variation_number integer not null,
    changed_at ${timestamp} not null,
    id ${uuid} not null,
    changed_by ${uuid},
    content_type text not null,
    content text not null`;

// The snippet's creation time is repeated here, so that a page of a tag's snippets is one index scan.
const snippetTagColumns = ({ uuid, timestamp }: ColumnTypes): string => `
    workspace_id ${uuid} not null,
    snippet_id ${uuid} not null,
    tag_id ${uuid} not null,
    snippet_created_at ${timestamp} not null`;

const snippets = (types: ColumnTypes): string[] => [
  `create table snippets (${snippetColumns(types)},
    primary key (workspace_id, id),
    foreign key (workspace_id, team_id) references teams (workspace_id, id),
    foreign key (workspace_id, folder_id) references folders (workspace_id, id)
  ) ${types.tableEnd}`,
  "create index snippets_by_folder on snippets (workspace_id, folder_id, created_at, id) where folder_id is not null",
  // Counts the snippets of a team.
  "create index snippets_by_creation on snippets (workspace_id, created_at, id)",
  "create index snippets_by_team on snippets (workspace_id, team_id, is_archived)",
  // Finds the snippet of a team with a shortcut that was updated last.
  `create index snippets_by_shortcut on snippets (workspace_id, shortcut, team_id, updated_at, id)
    where shortcut is not null and is_archived = false`,
  "create unique index snippets_by_variation on snippets (workspace_id, variation_id) where variation_id is not null",
  `create table variations (${variationColumns(types)},
    primary key (workspace_id, id),
    unique (workspace_id, snippet_id, variant_order_index),
    foreign key (workspace_id, snippet_id) references snippets (workspace_id, id) on delete cascade
  ) ${types.tableEnd}`,
  `create table former_versions (${formerVersionColumns(types)},
    primary key (workspace_id, snippet_id, variation_number, changed_at, id),
    foreign key (workspace_id, snippet_id) references snippets (workspace_id, id) on delete cascade
  ) ${types.tableEnd}`,
  `create table snippet_tags (${snippetTagColumns(types)},
    primary key (workspace_id, snippet_id, tag_id),
    foreign key (workspace_id, snippet_id) references snippets (workspace_id, id) on delete cascade,
    foreign key (workspace_id, tag_id) references tags (workspace_id, id) on delete cascade
  ) ${types.clusteredTableEnd}`,
  "create index snippet_tags_by_tag on snippet_tags (workspace_id, tag_id, snippet_created_at, snippet_id)",
];

// Deleted snippets lie in tables of their own until their time is over, so that nothing else has to leave them out. Their folder and
// tags may be deleted meanwhile.
const trash = (types: ColumnTypes): string[] => [
  `create table trashed_snippets (
    deleted_at ${types.timestamp} not null,
    deleted_by ${types.uuid} not null,${snippetColumns(types)},
    primary key (workspace_id, id),
    foreign key (workspace_id, team_id) references teams (workspace_id, id)
  ) ${types.tableEnd}`,
  "create index trashed_snippets_by_deletion on trashed_snippets (workspace_id, deleted_at, id, team_id)",
  `create table trashed_variations (${variationColumns(types)},
    primary key (workspace_id, snippet_id, id),
    foreign key (workspace_id, snippet_id) references trashed_snippets (workspace_id, id) on delete cascade
  ) ${types.tableEnd}`,
  `create table trashed_former_versions (${formerVersionColumns(types)},
    primary key (workspace_id, snippet_id, variation_number, changed_at, id),
    foreign key (workspace_id, snippet_id) references trashed_snippets (workspace_id, id) on delete cascade
  ) ${types.tableEnd}`,
  `create table trashed_snippet_tags (${snippetTagColumns(types)},
    primary key (workspace_id, snippet_id, tag_id),
    foreign key (workspace_id, snippet_id) references trashed_snippets (workspace_id, id) on delete cascade
  ) ${types.clusteredTableEnd}`,
];
