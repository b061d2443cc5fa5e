// Members: who belongs to a workspace and to its teams, and as what (the console's table of actions says what that allows).
import type { TeamRole, WorkspaceRole } from "../../contract/console/actions.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { withdrawWhatIsNotTheirs } from "../invitations/invitations.ts";
import * as store from "./members.store.ts";

export type Member = store.MemberRow;

/** Who changes members, as far as these rules must know. */
export interface Changer {
  readonly personId: string;
  /** What they may do now. Asked once the workspace is held: until then it may have been taken from them. */
  readonly may: (action: "members.manage" | "owners.manage") => Promise<boolean>;
}

async function requireRight(changer: Changer, touchesOwners: boolean): Promise<void> {
  if (!(await changer.may(touchesOwners ? "owners.manage" : "members.manage"))) throw consoleErrors.forbidden();
}

/** @throws Refusal 404 */
export async function requireMember(transaction: Transaction, workspaceId: string, personId: string): Promise<Member> {
  const member = await store.findMember(transaction, workspaceId, personId);
  if (!member) throw consoleErrors.notFound("member");
  return member;
}

export interface MemberChange {
  readonly before: Member;
  readonly after: Member;
}

/** @throws Refusal 404; 403 where only an owner may; 409 for one's own role and for the last owner */
export async function changeRole(
  transaction: Transaction,
  workspaceId: string,
  personId: string,
  role: WorkspaceRole,
  changer: Changer,
): Promise<MemberChange> {
  store.holdWorkspace(transaction, workspaceId);
  const before = await requireMember(transaction, workspaceId, personId);
  await requireRight(changer, before.role === "owner" || role === "owner");
  if (personId === changer.personId)
    throw consoleErrors.conflict("own_role", "Nobody can change their own role: ask another owner or administrator");
  if (before.role === "owner" && role !== "owner") await requireOtherOwner(transaction, workspaceId, personId);
  store.updateMember(transaction, workspaceId, personId, role);
  await withdrawWhatIsNotTheirs(transaction, workspaceId, personId, role);
  return { before, after: await requireMember(transaction, workspaceId, personId) };
}

/**
 * Their teams and access tokens in this workspace go along, and the links that they wrote. Whoever may do it may also go themselves.
 * @throws Refusal 404; 403 where only an owner may; 409 for the last owner
 */
export async function removeMember(
  transaction: Transaction,
  workspaceId: string,
  personId: string,
  changer: Changer,
): Promise<Member> {
  store.holdWorkspace(transaction, workspaceId);
  const member = await requireMember(transaction, workspaceId, personId);
  await requireRight(changer, member.role === "owner");
  if (member.role === "owner") await requireOtherOwner(transaction, workspaceId, personId);
  await withdrawWhatIsNotTheirs(transaction, workspaceId, personId, undefined);
  store.deleteMember(transaction, workspaceId, personId);
  return member;
}

async function requireOtherOwner(transaction: Transaction, workspaceId: string, personId: string): Promise<void> {
  if ((await store.countOtherOwners(transaction, workspaceId, personId)) > 0) return;
  throw consoleErrors.conflict("last_owner", "A workspace keeps at least one owner: make somebody else an owner first");
}

/** @returns the role before; undefined for one who is new in the team. @throws Refusal 404 where the person is no member */
export async function putTeamMember(
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
  personId: string,
  role: TeamRole,
): Promise<{ member: Member; before: TeamRole | undefined }> {
  store.holdWorkspace(transaction, workspaceId);
  const member = await requireMember(transaction, workspaceId, personId);
  store.putTeamMember(transaction, workspaceId, { teamId, personId, role });
  return { member, before: roleIn(member, teamId) };
}

/** @throws Refusal 404 where the person is no member, or not in the team */
export async function removeTeamMember(
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
  personId: string,
): Promise<{ member: Member; before: TeamRole }> {
  store.holdWorkspace(transaction, workspaceId);
  const member = await requireMember(transaction, workspaceId, personId);
  const before = roleIn(member, teamId);
  if (before === undefined) throw consoleErrors.notFound("member");
  store.deleteTeamMember(transaction, workspaceId, teamId, personId);
  return { member, before };
}

const roleIn = (member: Member, teamId: string): TeamRole | undefined =>
  member.teams.find(({ team_id }) => team_id === teamId)?.role;
