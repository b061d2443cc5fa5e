// The rows of teams.
import type { TeamRole } from "../../contract/console/actions.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { assignments, fromJson, list, sql, type Value } from "../../platform/database/sql.ts";

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly workspace_id: string;
  readonly created_at: string;
}

/** Returns those of the ids that are teams of the workspace. */
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

export function insertTeam(
  transaction: Transaction,
  workspaceId: string,
  name: string,
  visibility: TeamRow["visibility"] = "internal",
): Team {
  const team = { id: transaction.newId(), name, workspace_id: workspaceId, created_at: transaction.now };
  transaction.insert("teams", [{ ...team, visibility }]);
  return team;
}

/** A team with its visibility and its members. */
export interface TeamRow extends Team {
  readonly visibility: "private" | "internal";
  readonly members: readonly {
    readonly person_id: string;
    readonly name: string;
    readonly email: string;
    readonly role: TeamRole;
  }[];
}

const selectTeams = sql`
  select t.id, t.name, t.workspace_id, t.created_at, t.visibility,
    (select json_agg(json_build_object('person_id', m.person_id, 'name', p.name, 'email', p.email, 'role', m.role)
        order by p.name, p.id)
      from team_memberships m join people p on p.id = m.person_id
      where m.workspace_id = t.workspace_id and m.team_id = t.id) as members
  from teams t`;

const toTeamRow = (row: Omit<TeamRow, "members"> & { members: unknown }): TeamRow => ({
  ...row,
  members: fromJson<TeamRow["members"] | null>(row.members) ?? [],
});

/** Lists the teams of a workspace by name, with their members. */
export async function listTeamRows(transaction: Transaction, workspaceId: string): Promise<TeamRow[]> {
  const rows = await transaction.all<TeamRow>(
    sql`${selectTeams} where t.workspace_id = ${workspaceId} order by t.name, t.id`,
  );
  return rows.map(toTeamRow);
}

export async function findTeamRow(
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<TeamRow | undefined> {
  const row = await transaction.first<TeamRow>(
    sql`${selectTeams} where t.workspace_id = ${workspaceId} and t.id = ${id}`,
  );
  return row && toTeamRow(row);
}

export const listVisibilities = (
  transaction: Transaction,
  workspaceId: string,
): Promise<Pick<TeamRow, "id" | "visibility">[]> =>
  transaction.all(sql`select id, visibility from teams where workspace_id = ${workspaceId}`);

/** Changes of a team run one after another. */
export const lockForTeamChange = (transaction: Transaction, workspaceId: string, id: string): void =>
  transaction.lock("change", sql`select id from teams where workspace_id = ${workspaceId} and id = ${id}`);

export const updateTeam = (
  transaction: Transaction,
  workspaceId: string,
  id: string,
  changes: Readonly<Record<string, Value>>,
): void =>
  transaction.send(sql`update teams set ${assignments(changes)} where workspace_id = ${workspaceId} and id = ${id}`);

/** Counts the keys that are limited to teams, by team. */
export async function countKeysByTeam(
  transaction: Transaction,
  workspaceId: string,
): Promise<ReadonlyMap<string, number>> {
  return toCounts(
    await transaction.all(
      sql`select t.team_id, count(*) as number from api_keys k
          join api_key_teams t on t.workspace_id = k.workspace_id and t.key_id = k.id
          where k.workspace_id = ${workspaceId} and k.deleted_at is null and k.is_all_teams = ${false}
          group by t.team_id`,
    ),
  );
}

/** Counts the snippets by team; undefined in a workspace with more than `most`, where calls would wait for the count. */
export async function countSnippetsByTeam(
  transaction: Transaction,
  workspaceId: string,
  most: number,
): Promise<ReadonlyMap<string, number> | undefined> {
  const counts = toCounts(
    await transaction.all(
      sql`select s.team_id, count(*) as number
          from (select team_id from snippets where workspace_id = ${workspaceId} limit ${most + 1}) s group by s.team_id`,
    ),
  );
  return [...counts.values()].reduce((sum, number) => sum + number, 0) > most ? undefined : counts;
}

const toCounts = (rows: readonly { team_id: string; number: number }[]): ReadonlyMap<string, number> =>
  new Map(rows.map((row) => [row.team_id, row.number]));
