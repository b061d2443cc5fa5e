// Invitations: a link that works once and for some days, and makes whoever has it a member. Only its hash is kept.
import type { WorkspaceRole } from "../../contract/console/actions.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import type { ConsoleInput } from "../../contract/console/operations.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { fromJson } from "../../platform/database/sql.ts";
import { hashSecret } from "../../platform/secrets/secrets.ts";
import { addDays } from "../../platform/time.ts";
import { addMember, addTeamMember, findMemberByEmail, holdWorkspace } from "../members/members.store.ts";
import { findPersonByEmail, makeOperator } from "../people/people.store.ts";
import { findTeams } from "../workspaces/teams.store.ts";
import { findWorkspace } from "../workspaces/workspaces.store.ts";
import * as store from "./invitations.store.ts";

export type { InvitedTeam } from "./invitations.store.ts";

export interface Invitation extends Omit<store.InvitationRow, "teams" | "is_mailed"> {
  readonly teams: readonly store.InvitedTeam[];
  readonly is_mailed: boolean;
}

/** Open invitations of a workspace at most: each may be a mail to somebody who did not ask for it. */
export const openInvitationsMax = 500;
/** Invitations whose time is over are shown so long, so that somebody sends them again. */
const shownAfterwardsDays = 30;
const tokenBytes = 32;

/** What stands in a link, once; its hash is what is stored. */
export const newInvitationToken = (): string =>
  crypto.getRandomValues(new Uint8Array(tokenBytes)).toBase64({ alphabet: "base64url", omitPadding: true });

export const hashOfInvitationToken = hashSecret;

/** Where an invitation is accepted. The token stands behind the #, which no browser sends and no server logs. */
export const invitationLink = (origin: string, token: string): string => `${origin}/console/invitation#${token}`;

/** The invitation of a link, undefined where it was used, withdrawn, or its time is over. */
export async function findInvitation(transaction: Transaction, token: string): Promise<Invitation | undefined> {
  const row = await store.findOpenInvitation(transaction, hashOfInvitationToken(token));
  return row && toInvitation(row);
}

/** What whoever has the link may know of the invitation. */
export async function previewOf(transaction: Transaction, invitation: Invitation) {
  const { workspace_id, email, role, inviter_name, expires_at } = invitation;
  const workspace = workspace_id === null ? undefined : await findWorkspace(transaction, workspace_id);
  return {
    kind: workspace_id === null ? ("first administrator" as const) : ("member" as const),
    workspace_name: workspace?.name ?? null,
    email,
    role,
    invited_by: inviter_name,
    has_account: email !== null && (await findPersonByEmail(transaction, email)) !== undefined,
    expires_at,
  };
}

/**
 * Makes a person a member, as the invitation says; of the link for the first administrator, the operator. Who is a member already
 * keeps their role. The audit log's row is the caller's.
 * @throws Refusal 404 where somebody else was first
 */
export async function acceptInvitation(
  transaction: Transaction,
  invitation: Invitation,
  personId: string,
): Promise<void> {
  const { id, workspace_id: workspaceId, role, teams } = invitation;
  if (workspaceId !== null) holdWorkspace(transaction, workspaceId);
  if (!(await store.markAccepted(transaction, id))) throw consoleErrors.notFound("invitation");
  if (workspaceId === null) return makeOperator(transaction, personId);
  await addMember(transaction, workspaceId, personId, role);
  const known = await findTeams(
    transaction,
    workspaceId,
    teams.map(({ teamId }) => teamId),
  );
  for (const team of teams)
    if (known.includes(team.teamId)) await addTeamMember(transaction, workspaceId, { personId, ...team });
}

/** Invitations that nobody accepted yet, newest first. */
export async function listInvitations(transaction: Transaction, workspaceId: string): Promise<Invitation[]> {
  const since = addDays(transaction.now, -shownAfterwardsDays);
  return (await store.listInvitations(transaction, workspaceId, since)).map(toInvitation);
}

export interface Invited {
  readonly invitation: Invitation;
  /** Told once. */
  readonly token: string;
  /** An earlier invitation of this address was open, and is not any more. */
  readonly replaces: boolean;
}

/** @throws Refusal 404 for a team that is none; 409 where the address is a member's, or too many wait */
export async function invite(
  transaction: Transaction,
  workspaceId: string,
  inviterId: string,
  { email, role, teams: givenTeams = [] }: ConsoleInput<"postInvitation">["body"],
  isMailed: boolean,
): Promise<Invited> {
  // Who invites the same address at the same time comes one after the other.
  holdWorkspace(transaction, workspaceId);
  const teams = [...new Map(givenTeams.map((team) => [team.teamId, team])).values()];
  const ids = teams.map(({ teamId }) => teamId);
  if ((await findTeams(transaction, workspaceId, ids)).length < ids.length) throw consoleErrors.notFound("team");
  if (await findMemberByEmail(transaction, workspaceId, email))
    throw consoleErrors.conflict("already_member", "Somebody with this address is a member already");
  const replaces = (await store.withdrawByEmail(transaction, workspaceId, email)) > 0;
  if ((await listInvitations(transaction, workspaceId)).length >= openInvitationsMax)
    throw consoleErrors.conflict(
      "too_many_invitations",
      `${openInvitationsMax} invitations are open: withdraw some of them first`,
    );
  const token = newInvitationToken();
  const id = transaction.newId();
  store.insertInvitation(transaction, {
    id,
    workspace_id: workspaceId,
    ...{ email, role, teams: JSON.stringify(teams), token_hash: hashOfInvitationToken(token) },
    invited_by: inviterId,
    is_mailed: isMailed,
    created_at: transaction.now,
    expires_at: addDays(transaction.now, consoleLimits.invitationDays),
  });
  return { invitation: await requireInvitation(transaction, workspaceId, id), token, replaces };
}

/** @throws Refusal 404 */
export async function requireInvitation(transaction: Transaction, workspaceId: string, id: string) {
  const row = await store.findInvitationById(transaction, workspaceId, id);
  if (!row) throw consoleErrors.notFound("invitation");
  return toInvitation(row);
}

/** The link is dead afterwards. @throws Refusal 404 where somebody accepted or withdrew it meanwhile */
export async function withdrawInvitation(transaction: Transaction, workspaceId: string, id: string): Promise<void> {
  if ((await store.withdrawById(transaction, workspaceId, id)) === 0) throw consoleErrors.notFound("invitation");
}

/**
 * Whoever may not invite any more leaves no links behind: what they could not write now, nobody shall accept.
 * @param role what they are in the workspace from now on; undefined for one who goes
 */
export async function withdrawWhatIsNotTheirs(
  transaction: Transaction,
  workspaceId: string,
  personId: string,
  role: WorkspaceRole | undefined,
): Promise<void> {
  if (role === "owner") return;
  await store.withdrawByInviter(transaction, workspaceId, personId, role === "admin" ? "owner" : undefined);
}

const toInvitation = (row: store.InvitationRow): Invitation => ({
  ...row,
  teams: fromJson<store.InvitedTeam[]>(row.teams),
  is_mailed: Boolean(row.is_mailed),
});
