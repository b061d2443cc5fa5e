// What people and API keys did in the library, and the examples that people loaded.
import type { ColumnTypes } from "../../migration.ts";

export const libraryActivity = ({ uuid, timestamp, bigint, clusteredTableEnd }: ColumnTypes): string[] => [
  // No text of a snippet is repeated here, so that a snippet that is gone is gone. Names are those of folders and tags. `details` is JSON.
  `create table library_activity (
    workspace_id ${uuid} not null references workspaces (id),
    id ${uuid} not null,
    at ${timestamp} not null,
    author_id ${uuid} not null,
    team_id ${uuid} not null,
    action text not null,
    snippet_id ${uuid},
    name text,
    details text,
    primary key (workspace_id, id)
  ) ${clusteredTableEnd}`,
  // IDs increase with time, so that the order of the primary key is that of time. Almost every change adds a row, and each index costs.
  "create index library_activity_by_snippet on library_activity (workspace_id, snippet_id, id) where snippet_id is not null",
  "create index library_activity_by_age on library_activity (at)",

  // What was changed, for programs that follow it. A workspace's rows are numbered in the order in which they become visible. `entries` is
  // JSON: lists of IDs, each with kind and action. No row refers to the team's: this table is written with almost every change.
  `create table library_changes (
    workspace_id ${uuid} not null,
    team_id ${uuid} not null,
    number ${bigint} not null,
    at ${timestamp} not null,
    entries text not null,
    primary key (workspace_id, team_id, number)
  ) ${clusteredTableEnd}`,

  // The snippets, folders and tags that were loaded as examples, until they are removed again.
  `create table library_examples (
    workspace_id ${uuid} not null,
    team_id ${uuid} not null,
    kind text not null,
    id ${uuid} not null,
    primary key (workspace_id, team_id, kind, id),
    foreign key (workspace_id, team_id) references teams (workspace_id, id)
  ) ${clusteredTableEnd}`,
];
