// The rows of members of workspaces and of teams.
import type { TeamRole, WorkspaceRole } from "../../contract/console/actions.ts";
import type { SignInPolicy } from "../../contract/console/sign-in-policies.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { fromJson, list, type Sql, sql } from "../../platform/database/sql.ts";
import { hasFactor, hasIdentity } from "../people/factors.store.ts";
import { deletedTeamIdsOf } from "../workspaces/teams.store.ts";
import { dropAlertRecipient } from "./alert-recipients.store.ts";

export interface MemberRow {
  readonly person_id: string;
  readonly name: string;
  readonly email: string;
  readonly role: WorkspaceRole;
  readonly has_second_factor: boolean;
  readonly has_single_sign_on: boolean;
  readonly teams: readonly { readonly team_id: string; readonly role: TeamRole }[];
  readonly joined_at: string;
  readonly last_seen_at: string | null;
}

const selectMembers = sql`
  select m.person_id, p.name, p.email, m.role, ${hasFactor} as has_second_factor, ${hasIdentity} as has_single_sign_on,
    m.created_at as joined_at,
    (select json_agg(json_build_object('team_id', r.team_id, 'role', r.role) order by r.team_id) from team_memberships r
      join teams t on t.workspace_id = r.workspace_id and t.id = r.team_id and t.deleted_at is null
      where r.workspace_id = m.workspace_id and r.person_id = m.person_id) as teams,
    (select max(s.updated_at) from person_sessions s where s.person_id = m.person_id) as last_seen_at
  from memberships m join people p on p.id = m.person_id`;

type SelectedMember = {
  [Field in keyof MemberRow]: Field extends "has_second_factor" | "has_single_sign_on" | "teams"
    ? unknown
    : MemberRow[Field];
};

const toMember = (row: SelectedMember): MemberRow => ({
  ...row,
  has_second_factor: Boolean(row.has_second_factor),
  has_single_sign_on: Boolean(row.has_single_sign_on),
  teams: fromJson<MemberRow["teams"] | null>(row.teams) ?? [],
});

export interface MemberPage {
  readonly search: string | undefined;
  /** Name and id of the last member of the previous page. */
  readonly after: readonly string[] | undefined;
  readonly limit: number;
}

/** Lists members by name. @returns one more than the limit where there are more */
export async function listMembers(
  transaction: Transaction,
  workspaceId: string,
  { search, after, limit }: MemberPage,
): Promise<MemberRow[]> {
  const rows = await transaction.all<SelectedMember>(
    sql`${selectMembers} where m.workspace_id = ${workspaceId} and ${searched(search)} and ${following(after)}
        order by p.name, p.id limit ${limit + 1}`,
  );
  return rows.map(toMember);
}

const following = (after: readonly string[] | undefined): Sql =>
  after ? sql`(p.name, p.id) > (${after[0] ?? ""}, ${after[1] ?? ""})` : sql`1 = 1`;

/** The engine lowers the case of both sides, so that they agree. */
function searched(text: string | undefined): Sql {
  if (text === undefined) return sql`1 = 1`;
  const pattern = containing(text);
  return sql`(lower(p.name) like lower(${pattern}) escape '!' or p.email like lower(${pattern}) escape '!')`;
}

/** Patterns for `like … escape '!'`. */
export const beginning = (text: string): string => `${text.replaceAll(/[!%_]/g, "!$&")}%`;
export const containing = (text: string): string => `%${beginning(text)}`;

export async function findMember(
  transaction: Transaction,
  workspaceId: string,
  personId: string,
): Promise<MemberRow | undefined> {
  const row = await transaction.first<SelectedMember>(
    sql`${selectMembers} where m.workspace_id = ${workspaceId} and m.person_id = ${personId}`,
  );
  return row && toMember(row);
}

export const findMemberByEmail = (
  transaction: Transaction,
  workspaceId: string,
  email: string,
): Promise<{ person_id: string } | undefined> =>
  transaction.first<{ person_id: string }>(
    sql`select m.person_id from memberships m join people p on p.id = m.person_id
        where m.workspace_id = ${workspaceId} and p.email = ${email}`,
  );

/** Counts the owners other than this person. */
export async function countOtherOwners(
  transaction: Transaction,
  workspaceId: string,
  personId: string,
): Promise<number> {
  const row = await transaction.first<{ owners: number }>(
    sql`select count(*) as owners from memberships
        where workspace_id = ${workspaceId} and role = 'owner' and person_id <> ${personId}`,
  );
  return row?.owners ?? 0;
}

/** The addresses of the owners of a workspace, and of the operators, who have to keep its invoices. */
export async function listAddressesToTellOfDeletion(transaction: Transaction, workspaceId: string): Promise<string[]> {
  const rows = await transaction.all<{ email: string }>(
    sql`select p.email from people p
        where p.disabled_at is null and (p.is_operator or exists (select 1 from memberships m
          where m.workspace_id = ${workspaceId} and m.person_id = p.id and m.role = 'owner')) order by p.id`,
  );
  return rows.map(({ email }) => email);
}

/** The addresses of the owners of a workspace. */
export async function listAddressesOfOwners(transaction: Transaction, workspaceId: string): Promise<string[]> {
  const rows = await transaction.all<{ email: string }>(
    sql`select p.email from memberships m join people p on p.id = m.person_id
        where m.workspace_id = ${workspaceId} and m.role = 'owner' and p.disabled_at is null order by p.id`,
  );
  return rows.map(({ email }) => email);
}

/** The addresses of the owners and admins of a workspace. */
export async function listAddressesOfAdministrators(transaction: Transaction, workspaceId: string): Promise<string[]> {
  const rows = await transaction.all<{ email: string }>(
    sql`select p.email from memberships m join people p on p.id = m.person_id
        where m.workspace_id = ${workspaceId} and m.role in ('owner', 'admin') and p.disabled_at is null order by p.id`,
  );
  return rows.map(({ email }) => email);
}

/** Counts the members, and those of them who could not sign in under a policy. */
export async function countMembersBySignIn(transaction: Transaction, workspaceId: string) {
  const row = await transaction.first<{
    members: number;
    without_factor: number;
    without_identity: number;
    without_either: number;
  }>(
    sql`select count(*) as members, count(case when ${hasFactor} then null else 1 end) as without_factor,
          count(case when ${hasIdentity} then null else 1 end) as without_identity,
          count(case when ${hasFactor} or ${hasIdentity} then null else 1 end) as without_either
        from memberships m join people p on p.id = m.person_id where m.workspace_id = ${workspaceId}`,
  );
  return {
    members: row?.members ?? 0,
    members_without_second_factor: row?.without_factor ?? 0,
    members_without_single_sign_on: row?.without_identity ?? 0,
    members_without_either: row?.without_either ?? 0,
  };
}

/** Adds a member. An existing member keeps their role. */
export const addMember = async (
  transaction: Transaction,
  workspaceId: string,
  personId: string,
  role: WorkspaceRole,
): Promise<void> => {
  await transaction.run(
    sql`insert into memberships (workspace_id, person_id, role, created_at)
        values (${workspaceId}, ${personId}, ${role}, ${transaction.now})
        on conflict (workspace_id, person_id) do nothing`,
  );
};

export const updateMember = (
  transaction: Transaction,
  workspaceId: string,
  personId: string,
  role: WorkspaceRole,
): void =>
  transaction.send(
    sql`update memberships set role = ${role} where workspace_id = ${workspaceId} and person_id = ${personId}`,
  );

/** Deletes a member with their team memberships and access tokens of this workspace. Its alerts no longer go to their address. */
export function deleteMember(transaction: Transaction, workspaceId: string, personId: string, email: string): void {
  transaction.send(sql`delete from memberships where workspace_id = ${workspaceId} and person_id = ${personId}`);
  dropAlertRecipient(transaction, email, sql`workspace_id = ${workspaceId}`);
}

interface TeamMember {
  readonly teamId: string;
  readonly personId: string;
  readonly role: TeamRole;
}

/** Adds a member of a team. An existing one keeps their role. */
export const addTeamMember = async (
  transaction: Transaction,
  workspaceId: string,
  { teamId, personId, role }: TeamMember,
): Promise<void> => {
  await transaction.run(
    sql`insert into team_memberships (workspace_id, team_id, person_id, role, created_at)
        values (${workspaceId}, ${teamId}, ${personId}, ${role}, ${transaction.now})
        on conflict (workspace_id, team_id, person_id) do nothing`,
  );
};

/** Adds a member of a team, or changes their role. */
export const putTeamMember = (
  transaction: Transaction,
  workspaceId: string,
  { teamId, personId, role }: TeamMember,
): void =>
  transaction.send(
    sql`insert into team_memberships (workspace_id, team_id, person_id, role, created_at)
        values (${workspaceId}, ${teamId}, ${personId}, ${role}, ${transaction.now})
        on conflict (workspace_id, team_id, person_id) do update set role = excluded.role`,
  );

export const deleteTeamMember = (
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
  personId: string,
): void =>
  transaction.send(
    sql`delete from team_memberships
        where workspace_id = ${workspaceId} and team_id = ${teamId} and person_id = ${personId}`,
  );

/** How a person stands to a workspace. */
export interface Standing {
  /** Null for a person who is no member. */
  readonly role: WorkspaceRole | null;
  readonly sign_in_policy: SignInPolicy;
  readonly deleted_at: string | null;
  readonly deletedTeamIds: ReadonlySet<string>;
}

const deletedTeamIds = deletedTeamIdsOf("w.id");

/** @returns undefined for an unknown workspace */
export async function findStanding(
  transaction: Transaction,
  workspaceId: string,
  personId: string,
): Promise<Standing | undefined> {
  const row = await transaction.first<Omit<Standing, "deletedTeamIds"> & { deleted_team_ids: unknown }>(
    sql`select m.role, w.sign_in_policy, w.deleted_at,
          ${deletedTeamIds} as deleted_team_ids
        from workspaces w left join memberships m on m.workspace_id = w.id and m.person_id = ${personId}
        where w.id = ${workspaceId}`,
  );
  if (!row) return undefined;
  const { deleted_team_ids, ...standing } = row;
  return { ...standing, deletedTeamIds: new Set(fromJson<string[] | null>(deleted_team_ids) ?? []) };
}

/** A person's role in a workspace; undefined for a person who is no member. */
export async function findRole(
  transaction: Transaction,
  workspaceId: string,
  personId: string,
): Promise<WorkspaceRole | undefined> {
  const row = await transaction.first<{ role: WorkspaceRole }>(
    sql`select role from memberships where workspace_id = ${workspaceId} and person_id = ${personId}`,
  );
  return row?.role;
}

/** Whether a person is a member of one of these teams, of which some may be deleted. */
export const isMemberOfAny = async (
  transaction: Transaction,
  workspaceId: string,
  personId: string,
  teamIds: readonly string[],
): Promise<boolean> =>
  (await transaction.first(
    sql`select team_id from team_memberships
        where workspace_id = ${workspaceId} and person_id = ${personId} and team_id in ${list(teamIds)} limit 1`,
  )) !== undefined;

/** A person's roles in the teams of a workspace, by team id. Deleted teams are left out. */
export async function findTeamRoles(
  transaction: Transaction,
  workspaceId: string,
  personId: string,
): Promise<ReadonlyMap<string, TeamRole>> {
  const rows = await transaction.all<{ team_id: string; role: TeamRole }>(
    sql`select m.team_id, m.role from team_memberships m
        join teams t on t.workspace_id = m.workspace_id and t.id = m.team_id and t.deleted_at is null
        where m.workspace_id = ${workspaceId} and m.person_id = ${personId}`,
  );
  return new Map(rows.map((row) => [row.team_id, row.role]));
}
