// The names of keys and teams, deleted ones too.
import type { Transaction } from "../../platform/database/database.ts";
import { list, name, sql } from "../../platform/database/sql.ts";

const finder =
  (table: "api_keys" | "teams") =>
  async (transaction: Transaction, workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> => {
    if (ids.length === 0) return new Map();
    const rows = await transaction.all<{ id: string; name: string }>(
      sql`select id, name from ${name(table)} where workspace_id = ${workspaceId} and id in ${list(ids)}`,
    );
    return new Map(rows.map((row) => [row.id, row.name]));
  };

export const findKeyNames = finder("api_keys");
export const findTeamNames = finder("teams");
