// Every query selects one workspace and something more, and only the latter leads to few rows. PostgreSQL must take every workspace for a
// large one: for one that it takes to be small, it might read all its rows instead of those selected.
import type { ColumnTypes } from "../../migration.ts";

export const statistics = ({ expectFrequent }: ColumnTypes): string[] =>
  expectFrequent ? tablesOfWorkspaces.map((table) => expectFrequent(table, "workspace_id")) : [];

/** All tables with a workspace. */
const tablesOfWorkspaces = [
  "teams",
  "memberships",
  "team_memberships",
  "invitations",
  "access_tokens",
  "audit_log",
  "audit_chains",
  "api_keys",
  "api_key_teams",
  "quota_months",
  "quota_grants",
  "quota_warnings",
  "key_warnings",
  "alert_settings",
  "alert_recipients",
  "refusal_alerts",
  "webhook_deliveries",
  "workspace_storage",
  "ledger",
  "kept_outcomes",
  "usage_days",
  "usage_totals",
  "refused_requests",
  "payments",
  "billing_details",
  "invoices",
  "folders",
  "tags",
  "snippets",
  "variations",
  "former_versions",
  "snippet_tags",
  "search_pending",
  "search_segments",
  "search_blocks",
  "trashed_snippets",
  "trashed_variations",
  "trashed_former_versions",
  "trashed_snippet_tags",
  "library_activity",
  "library_changes",
  "library_examples",
  "imports",
  "import_rows",
];
