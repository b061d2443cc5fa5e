// Invitations: a link that works once, for some days, and makes the person who opens it a member. Only its hash is stored.
import { reachOf } from "../../contract/console/actions.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import type { ConsoleInput } from "../../contract/console/operations.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { fromJson } from "../../platform/database/sql.ts";
import { hashSecret } from "../../platform/secrets/secrets.ts";
import { addDays } from "../../platform/time.ts";
import { type MemberEditor, requireMemberRight, rightOver } from "../members/editor.ts";
import { addMember, addTeamMember, findMemberByEmail } from "../members/members.store.ts";
import { findPersonByEmail, makeOperator } from "../people/people.store.ts";
import { admitInvitationMail } from "../sign-in/throttle.ts";
import { requireRoomFor } from "../workspaces/maximums.ts";
import { findTeams } from "../workspaces/teams.store.ts";
import { requireTeams, withTeamNames } from "../workspaces/teams.ts";
import { findWorkspace, lockForWorkspaceChange } from "../workspaces/workspaces.store.ts";
import * as store from "./invitations.store.ts";

export type { InvitedTeam } from "./invitations.store.ts";

export interface Invitation extends Omit<store.InvitationRow, "teams" | "is_mailed"> {
  readonly teams: readonly store.InvitedTeam[];
  readonly is_mailed: boolean;
}

/** The most open invitations of a workspace; expired ones do not count. Each may be an email that the recipient did not ask for. */
export const openInvitationsMax = 500;
/** How long expired invitations are listed, so that they can be sent again. */
const listedAfterExpiryDays = 30;
const tokenBytes = 32;

/** Makes the token of a link. Only its hash is stored. */
export const newInvitationToken = (): string =>
  crypto.getRandomValues(new Uint8Array(tokenBytes)).toBase64({ alphabet: "base64url", omitPadding: true });

export const hashOfInvitationToken = hashSecret;

/** The page where an invitation is accepted. The token follows the #, which browsers do not send and servers do not log. */
export const invitationLink = (origin: string, token: string): string => `${origin}/console/invitation#${token}`;

/** Finds the invitation of a link; undefined once it was accepted, revoked, or has expired, and where its inviter may no longer invite. */
export async function findInvitation(transaction: Transaction, token: string): Promise<Invitation | undefined> {
  const row = await store.findOpenInvitation(transaction, hashOfInvitationToken(token));
  return row && mayStillInvite(row) ? toInvitation(row) : undefined;
}

/** Whether the inviter could send this invitation now. The link for the first administrator has no inviter. */
export function mayStillInvite(row: store.InvitationRow): boolean {
  const { invited_by, role, inviter_is_operator, inviter_disabled_at, inviter_role } = row;
  if (invited_by === null) return true;
  if (inviter_disabled_at !== null) return false;
  const roles = { isOperator: Boolean(inviter_is_operator), role: inviter_role ?? undefined, teams: new Map() };
  return reachOf(roles, rightOver(role)) === "all";
}

/** What a person with the link may know of the invitation. */
export async function previewOf(transaction: Transaction, invitation: Invitation) {
  const { workspace_id, email, role, inviter_name, expires_at } = invitation;
  const workspace = workspace_id === null ? undefined : await findWorkspace(transaction, workspace_id);
  return {
    kind: workspace_id === null ? ("first administrator" as const) : ("member" as const),
    workspace_name: workspace?.name ?? null,
    email,
    role,
    teams: await invitedTeams(transaction, invitation),
    invited_by: inviter_name,
    has_account: email !== null && (await findPersonByEmail(transaction, email)) !== undefined,
    expires_at,
  };
}

/** The names of the teams that an invitation is to, with the role in each. A team that was deleted meanwhile is left out. */
export const invitedTeams = async (transaction: Transaction, { workspace_id, teams }: Invitation) =>
  workspace_id === null ? [] : withTeamNames(transaction, workspace_id, teams);

/**
 * Makes a person a member, as the invitation says, or the operator by the link for the first administrator. A member keeps their role.
 * The caller writes the audit log.
 * @throws Refusal `not_found` where somebody else was first
 */
export async function acceptInvitation(
  transaction: Transaction,
  invitation: Invitation,
  personId: string,
): Promise<void> {
  const { id, workspace_id: workspaceId, role, teams } = invitation;
  if (workspaceId !== null) lockForWorkspaceChange(transaction, workspaceId);
  if (!(await store.markAccepted(transaction, id))) throw consoleErrors.notFound("invitation");
  if (workspaceId === null) return makeOperator(transaction, personId);
  await requireRoomFor(transaction, workspaceId, "member");
  await addMember(transaction, workspaceId, personId, role);
  const known = await findTeams(
    transaction,
    workspaceId,
    teams.map(({ teamId }) => teamId),
  );
  for (const team of teams)
    if (known.includes(team.teamId)) await addTeamMember(transaction, workspaceId, { personId, ...team });
}

/** Lists pending invitations, newest first: the open ones and those that expired a short time ago. */
export async function listInvitations(transaction: Transaction, workspaceId: string): Promise<Invitation[]> {
  const since = addDays(transaction.now, -listedAfterExpiryDays);
  return (await store.listInvitations(transaction, workspaceId, since)).map(toInvitation);
}

export interface NewInvitation {
  readonly invitation: Invitation;
  /** Shown once. */
  readonly token: string;
  /** A pending invitation of this address was revoked. */
  readonly replaces: boolean;
}

/**
 * Invites an address, and revokes an earlier pending invitation of it.
 * @throws Refusal `forbidden` without the right to give this role; `not_found` for an unknown team; `conflict` for a member's address,
 * and where too many invitations are open; `rate_limited` where too many were emailed
 */
export async function invite(
  transaction: Transaction,
  workspaceId: string,
  inviter: MemberEditor,
  { email, role, teams: givenTeams = [] }: ConsoleInput<"postInvitation">["body"],
  isMailed: boolean,
): Promise<NewInvitation> {
  // Two invitations of one address run one after the other. An inviter who loses the right at this moment either lost it before, or
  // this invitation is revoked with their others.
  lockForWorkspaceChange(transaction, workspaceId);
  await requireMemberRight(inviter, role);
  const teams = [...new Map(givenTeams.map((team) => [team.teamId, team])).values()];
  await requireTeams(
    transaction,
    workspaceId,
    teams.map(({ teamId }) => teamId),
  );
  if (await findMemberByEmail(transaction, workspaceId, email)) throw consoleErrors.alreadyMember();
  const replaces = (await store.revokeByEmail(transaction, workspaceId, email)) > 0;
  if ((await store.countOpenInvitations(transaction, workspaceId)) >= openInvitationsMax)
    throw consoleErrors.tooManyInvitations(openInvitationsMax);
  if (isMailed) await admitInvitationMail(transaction, workspaceId, email);
  const token = newInvitationToken();
  const id = transaction.newId();
  store.insertInvitation(transaction, {
    id,
    workspace_id: workspaceId,
    email,
    role,
    teams: JSON.stringify(teams),
    token_hash: hashOfInvitationToken(token),
    invited_by: inviter.personId,
    is_mailed: isMailed,
    created_at: transaction.now,
    expires_at: addDays(transaction.now, consoleLimits.invitationDays),
  });
  return { invitation: await requireInvitationById(transaction, workspaceId, id), token, replaces };
}

async function requireInvitationById(transaction: Transaction, workspaceId: string, id: string): Promise<Invitation> {
  const row = await store.findInvitationById(transaction, workspaceId, id);
  if (!row) throw consoleErrors.notFound("invitation");
  return toInvitation(row);
}

/**
 * Makes the link of an invitation useless.
 * @returns the invitation. @throws Refusal `not_found` where it was accepted or revoked meanwhile; `forbidden` for an owner's without
 * the right to manage owners
 */
export async function revokeInvitation(
  transaction: Transaction,
  workspaceId: string,
  id: string,
  editor: MemberEditor,
): Promise<Invitation> {
  const invitation = await requireInvitationById(transaction, workspaceId, id);
  await requireMemberRight(editor, invitation.role);
  if ((await store.revokeById(transaction, workspaceId, id)) === 0) throw consoleErrors.notFound("invitation");
  return invitation;
}

export const toInvitation = (row: store.InvitationRow): Invitation => ({
  ...row,
  teams: fromJson<store.InvitedTeam[]>(row.teams),
  is_mailed: Boolean(row.is_mailed),
});
