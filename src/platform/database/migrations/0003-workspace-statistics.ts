// Every query selects one workspace and something more, and only the latter leads to few rows. PostgreSQL must not learn that most
// workspaces are small: for one that it takes to be small, it might read all its rows instead of those selected.
import type { ColumnTypes } from "../migration.ts";

const tables = [
  "teams",
  "api_keys",
  "api_key_teams",
  "quota_months",
  "quota_grants",
  "ledger",
  "usage_days",
  "folders",
  "tags",
  "snippets",
  "variations",
  "former_versions",
  "snippet_tags",
];

export const workspaceStatistics = {
  name: "workspace-statistics",
  statements: ({ withoutStatistics }: ColumnTypes) =>
    withoutStatistics ? tables.map((table) => withoutStatistics(table, "workspace_id")) : [],
};
