// The index that searches ask which snippets may match. It is made of ordinary rows, the same on both engines (library/search/).
import type { ColumnTypes } from "../../migration.ts";

export const search = ({
  uuid,
  timestamp,
  boolean,
  orderedText,
  tableEnd,
  clusteredTableEnd,
}: ColumnTypes): string[] => [
  // Changes that are not in the index yet, each with the IDs of its snippets, separated by spaces.
  `create table search_pending (
    workspace_id ${uuid} not null,
    change_id ${uuid} not null,
    snippet_count integer not null,
    snippet_ids text not null,
    primary key (workspace_id, change_id)
  ) ${clusteredTableEnd}`,
  // The segments of a workspace's index. Its documents are snippets that were changed from oldest_at to newest_at.
  // Only those that are ready or outdated are searched; where one is still made, the times say when that began.
  `create table search_segments (
    workspace_id ${uuid} not null,
    id ${uuid} not null,
    segment integer not null,
    document_count integer not null,
    has_coarse_terms ${boolean} not null,
    oldest_at ${timestamp} not null,
    newest_at ${timestamp} not null,
    state text not null check (state in ('making', 'ready', 'outdated', 'removing')),
    primary key (workspace_id, segment)
  ) ${tableEnd}`,
  // Blocks of terms with their documents, and blocks of documents, which have an empty term.
  `create table search_blocks (
    workspace_id ${uuid} not null,
    segment integer not null,
    first_term ${orderedText} not null,
    part integer not null,
    data text not null,
    primary key (workspace_id, segment, first_term, part)
  ) ${tableEnd}`,
];
