// The first schema, by subject. Every key begins with the workspace, so that the data can be partitioned by workspace. Columns have the
// names of the API's fields, so that a selected row is nearly the record.
import type { ColumnTypes } from "../migration.ts";
import { accounts } from "./first/accounts.ts";
import { billing } from "./first/billing.ts";
import { library } from "./first/library.ts";
import { metering } from "./first/metering.ts";
import { operations } from "./first/operations.ts";
import { people } from "./first/people.ts";

export const first = {
  name: "first",
  // A table comes after all that it refers to.
  statements: (types: ColumnTypes) => [
    ...people(types),
    ...accounts(types),
    ...metering(types),
    ...billing(types),
    ...library(types),
    ...operations(types),
    ...statistics(types),
  ],
};

/**
 * Every query selects one workspace and something more, and only the latter leads to few rows. PostgreSQL must not learn that most
 * workspaces are small: for one that it takes to be small, it might read all its rows instead of those selected.
 */
const statistics = ({ withoutStatistics }: ColumnTypes): string[] =>
  withoutStatistics ? tablesOfWorkspaces.map((table) => withoutStatistics(table, "workspace_id")) : [];

/** All tables with a workspace. */
const tablesOfWorkspaces = [
  "teams",
  "memberships",
  "team_memberships",
  "invitations",
  "access_tokens",
  "audit_log",
  "api_keys",
  "api_key_teams",
  "quota_months",
  "quota_grants",
  "quota_warnings",
  "ledger",
  "usage_days",
  "usage_totals",
  "usage_marks",
  "refused_requests",
  "payments",
  "billing_details",
  "invoice_parties",
  "folders",
  "tags",
  "snippets",
  "variations",
  "former_versions",
  "snippet_tags",
];
