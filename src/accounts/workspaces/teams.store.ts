// The rows of teams. Unless a function says otherwise, deleted teams are left out.
import type { TeamRole } from "../../contract/console/actions.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { assignments, fromJson, list, name, type Sql, sql, type Value } from "../../platform/database/sql.ts";

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly workspace_id: string;
  readonly created_at: string;
  readonly deleted_at: string | null;
}

const columns = sql`id, name, workspace_id, created_at, deleted_at`;

/** Returns those of the ids that are teams of the workspace. */
export async function findTeams(
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await transaction.all<{ id: string }>(
    sql`select id from teams where workspace_id = ${workspaceId} and deleted_at is null and id in ${list(ids)}`,
  );
  return rows.map((row) => row.id);
}

export const listTeams = (transaction: Transaction, workspaceId: string): Promise<Team[]> =>
  transaction.all<Team>(
    sql`select ${columns} from teams where workspace_id = ${workspaceId} and deleted_at is null order by id`,
  );

/** Deleted teams included. */
export const listKeptTeams = (transaction: Transaction, workspaceId: string): Promise<Team[]> =>
  transaction.all<Team>(sql`select ${columns} from teams where workspace_id = ${workspaceId} order by id`);

/** Finds a team, deleted or not. */
export const findKeptTeam = (transaction: Transaction, workspaceId: string, id: string): Promise<Team | undefined> =>
  transaction.first<Team>(sql`select ${columns} from teams where workspace_id = ${workspaceId} and id = ${id}`);

/** Finds the workspace of a team, deleted or not. It reads all teams: for commands. */
export async function findWorkspaceOfTeam(transaction: Transaction, id: string): Promise<string | undefined> {
  const row = await transaction.first<{ workspace_id: string }>(sql`select workspace_id from teams where id = ${id}`);
  return row?.workspace_id;
}

/** Only with a comparison does SQLite use the index of deleted teams. */
const isDeleted = sql`t.deleted_at > '0001-01-01T00:00:00.000Z'`;

/** The IDs of the deleted teams of the workspace in this column, as JSON. Make it once: each is another statement. */
export const deletedTeamIdsOf = (workspaceColumn: string): Sql =>
  sql`(select json_agg(t.id) from teams t where t.workspace_id = ${name(workspaceColumn)} and ${isDeleted})`;

/** The deleted teams of a workspace, last deleted first. */
export const listDeletedTeams = (transaction: Transaction, workspaceId: string): Promise<Team[]> =>
  transaction.all<Team>(
    sql`select ${columns} from teams t
        where workspace_id = ${workspaceId} and ${isDeleted} order by deleted_at desc, id desc`,
  );

/** The teams of all workspaces that were deleted before this moment. */
export const listTeamsDeletedBefore = (
  transaction: Transaction,
  before: string,
): Promise<{ id: string; workspace_id: string }[]> =>
  transaction.all(sql`select id, workspace_id from teams where deleted_at <= ${before} order by deleted_at, id`);

/** Only once nothing belongs to it. Its members leave it, and keys lose access to it. */
export const deleteTeamRow = (transaction: Transaction, workspaceId: string, id: string): Promise<number> =>
  transaction.run(sql`delete from teams where workspace_id = ${workspaceId} and id = ${id}`);

export function insertTeam(
  transaction: Transaction,
  workspaceId: string,
  name: string,
  visibility: TeamRow["visibility"] = "internal",
): Team {
  const { now } = transaction;
  const team = { id: transaction.newId(), name, workspace_id: workspaceId, created_at: now, deleted_at: null };
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
  select t.id, t.name, t.workspace_id, t.created_at, t.deleted_at, t.visibility,
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
    sql`${selectTeams} where t.workspace_id = ${workspaceId} and t.deleted_at is null order by t.name, t.id`,
  );
  return rows.map(toTeamRow);
}

export async function findTeamRow(
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<TeamRow | undefined> {
  const row = await transaction.first<TeamRow>(
    sql`${selectTeams} where t.workspace_id = ${workspaceId} and t.id = ${id} and t.deleted_at is null`,
  );
  return row && toTeamRow(row);
}

/** Deleted teams included. */
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
