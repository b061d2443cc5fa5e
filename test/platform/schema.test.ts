// A list of words in a CHECK can grow only by a migration that does more than add, so only lists that are closed have one.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { migrations } from "../../src/platform/database/migrations/index.ts";
import { columnTypes } from "../../src/platform/database/sqlite.ts";

test("only the columns of these lists restrict their words: who may do what, and the states of a job's own work", () => {
  const lists = migrations
    .flatMap((migration) => migration.statements(columnTypes))
    .flatMap((statement) => {
      const [, table = ""] = /^create table (\w+)/.exec(statement) ?? [];
      return Array.from(statement.matchAll(/check \((\w+) in\b/g), ([, column]) => `${table}.${column}`);
    });
  expect(lists.sort()).toEqual([
    "invitations.role",
    "memberships.role",
    "search_segments.state",
    "team_memberships.role",
    "teams.visibility",
    "webhook_deliveries.state",
    "workspaces.subscription",
  ]);
});
