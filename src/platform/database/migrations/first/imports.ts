// Imports of files into the library, and what each has made, until it can no longer be undone.
import type { ColumnTypes } from "../../migration.ts";

export const imports = ({ uuid, timestamp, tableEnd, clusteredTableEnd }: ColumnTypes): string[] => [
  `create table imports (
    workspace_id ${uuid} not null references workspaces (id),
    id ${uuid} not null,
    team_id ${uuid} not null,
    source_name text not null,
    source_hash text not null,
    format text not null,
    on_duplicate text not null,
    created_by ${uuid} not null,
    created_at ${timestamp} not null,
    finished_at ${timestamp},
    undone_at ${timestamp},
    steps_done integer not null,
    primary key (workspace_id, id)
  ) ${tableEnd}`,
  "create index imports_by_source on imports (workspace_id, team_id, source_hash)",
  // A new version names the one before it, which undoing brings back.
  `create table import_rows (
    workspace_id ${uuid} not null,
    import_id ${uuid} not null,
    kind text not null,
    place integer not null,
    id ${uuid} not null,
    made_at ${timestamp} not null,
    version_id ${uuid},
    former_version_id ${uuid},
    primary key (workspace_id, import_id, kind, place),
    foreign key (workspace_id, import_id) references imports (workspace_id, id) on delete cascade
  ) ${clusteredTableEnd}`,
  "create index import_rows_by_id on import_rows (workspace_id, import_id, id)",
];
