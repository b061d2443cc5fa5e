// Members of a workspace and of its teams, with their roles. The console's table of actions says what a role allows.
import type { TeamRole, WorkspaceRole } from "../../contract/console/actions.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import type { Invitation } from "../invitations/invitations.ts";
import { revokeBeyondRights, revokeReceived } from "../invitations/revocation.ts";
import { requireRoomFor } from "../workspaces/maximums.ts";
import { lockForWorkspaceChange } from "../workspaces/workspaces.store.ts";
import { type MemberEditor, requireMemberRight } from "./editor.ts";
import * as store from "./members.store.ts";

export type Member = store.MemberRow;

/** @throws Refusal `not_found` */
export async function requireMember(transaction: Transaction, workspaceId: string, personId: string): Promise<Member> {
  const member = await store.findMember(transaction, workspaceId, personId);
  if (!member) throw consoleErrors.notFound("member");
  return member;
}

export interface MemberChange {
  readonly before: Member;
  readonly after: Member;
  /** The invitations that end with the change. */
  readonly revoked: readonly Invitation[];
}

/**
 * Gives a member another role, and revokes the invitations that the new role may not write.
 * @throws Refusal `not_found`; `forbidden` where only an owner may; `conflict` for the editor's own role and for the last owner
 */
export async function changeRole(
  transaction: Transaction,
  workspaceId: string,
  personId: string,
  role: WorkspaceRole,
  editor: MemberEditor,
): Promise<MemberChange> {
  lockForWorkspaceChange(transaction, workspaceId);
  const before = await requireMember(transaction, workspaceId, personId);
  await requireMemberRight(editor, before.role, role);
  if (personId === editor.personId) throw consoleErrors.ownRole();
  if (before.role === "owner" && role !== "owner") await requireOtherOwner(transaction, workspaceId, personId);
  store.updateMember(transaction, workspaceId, personId, role);
  const revoked = await revokeBeyondRights(transaction, personId);
  return { before, after: await requireMember(transaction, workspaceId, personId), revoked };
}

/**
 * Makes a person a member, or gives a member another role. Without a role, a member keeps theirs and a new one is a `member`.
 * @returns the member before and after; `before` is undefined for a new member. @throws Refusal as `changeRole`
 */
export async function assignRole(
  transaction: Transaction,
  workspaceId: string,
  personId: string,
  role: WorkspaceRole | undefined,
  editor: MemberEditor,
): Promise<Partial<MemberChange> & Omit<MemberChange, "before">> {
  lockForWorkspaceChange(transaction, workspaceId);
  const before = await store.findMember(transaction, workspaceId, personId);
  if (before && (role === undefined || role === before.role)) return { before, after: before, revoked: [] };
  if (before && role !== undefined) return changeRole(transaction, workspaceId, personId, role, editor);
  await requireMemberRight(editor, role ?? "member");
  await requireRoomFor(transaction, workspaceId, "member");
  await store.addMember(transaction, workspaceId, personId, role ?? "member");
  const after = await requireMember(transaction, workspaceId, personId);
  return { after, revoked: await revokeReceived(transaction, workspaceId, after.email) };
}

/**
 * Removes a member with their teams and access tokens in this workspace, and revokes the invitations that they sent, or that would let
 * them in again. Members who may remove others may also leave.
 * @returns the member as they were, and the revoked invitations. @throws Refusal `not_found`; `forbidden` where only an owner may; `conflict` for the last owner
 */
export async function removeMember(
  transaction: Transaction,
  workspaceId: string,
  personId: string,
  editor: MemberEditor,
): Promise<{ readonly member: Member; readonly revoked: readonly Invitation[] }> {
  lockForWorkspaceChange(transaction, workspaceId);
  const member = await requireMember(transaction, workspaceId, personId);
  await requireMemberRight(editor, member.role);
  if (member.role === "owner") await requireOtherOwner(transaction, workspaceId, personId);
  store.deleteMember(transaction, workspaceId, personId, member.email);
  const sent = await revokeBeyondRights(transaction, personId);
  return { member, revoked: [...sent, ...(await revokeReceived(transaction, workspaceId, member.email))] };
}

async function requireOtherOwner(transaction: Transaction, workspaceId: string, personId: string): Promise<void> {
  if ((await store.countOtherOwners(transaction, workspaceId, personId)) === 0) throw consoleErrors.lastOwner();
}

/** Adds a member to a team, or changes their role in it. @returns the role before, if any. @throws Refusal `not_found` for a person who is no member */
export async function putTeamMember(
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
  personId: string,
  role: TeamRole,
): Promise<{ member: Member; before: TeamRole | undefined }> {
  lockForWorkspaceChange(transaction, workspaceId);
  const member = await requireMember(transaction, workspaceId, personId);
  store.putTeamMember(transaction, workspaceId, { teamId, personId, role });
  return { member, before: roleIn(member, teamId) };
}

/** @throws Refusal `not_found` for a person who is no member, or not in the team */
export async function removeTeamMember(
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
  personId: string,
): Promise<{ member: Member; before: TeamRole }> {
  lockForWorkspaceChange(transaction, workspaceId);
  const member = await requireMember(transaction, workspaceId, personId);
  const before = roleIn(member, teamId);
  if (before === undefined) throw consoleErrors.notFound("member");
  store.deleteTeamMember(transaction, workspaceId, teamId, personId);
  return { member, before };
}

const roleIn = (member: Member, teamId: string): TeamRole | undefined =>
  member.teams.find(({ team_id }) => team_id === teamId)?.role;
