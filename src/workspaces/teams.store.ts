// The rows of teams.
import type { Transaction } from "../database/database.ts";
import { list, sql } from "../database/sql.ts";

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly workspace_id: string;
  readonly created_at: string;
}

/** Those of the ids that are teams of the workspace. */
export async function findTeams(
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await transaction.all<{ id: string }>(
    sql`select id from teams where workspace_id = ${workspaceId} and id in ${list(ids)}`,
  );
  return rows.map((row) => row.id);
}

export const listTeams = (transaction: Transaction, workspaceId: string): Promise<Team[]> =>
  transaction.all<Team>(
    sql`select id, name, workspace_id, created_at from teams where workspace_id = ${workspaceId} order by id`,
  );

export async function insertTeam(transaction: Transaction, workspaceId: string, name: string): Promise<Team> {
  const team = { id: transaction.newId(), name, workspace_id: workspaceId, created_at: transaction.now };
  await transaction.insert("teams", [team]);
  return team;
}
