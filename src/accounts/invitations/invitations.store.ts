// The rows of invitations.
import type { TeamRole, WorkspaceRole } from "../../contract/console/actions.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { type Sql, sql } from "../../platform/database/sql.ts";

export interface InvitedTeam {
  readonly teamId: string;
  readonly role: TeamRole;
}

/** An invitation as it is stored, without the hash of its token. */
export interface InvitationRow {
  readonly id: string;
  /** Null for the link that makes the first administrator, which names no address either. */
  readonly workspace_id: string | null;
  readonly email: string | null;
  readonly role: WorkspaceRole;
  /** JSON. */
  readonly teams: string;
  readonly invited_by: string | null;
  readonly inviter_name: string | null;
  /** What the inviter is now. Null without an inviter. */
  readonly inviter_is_operator: boolean | number | null;
  readonly inviter_disabled_at: string | null;
  /** The inviter's role in the workspace now; null for a person who is no member. */
  readonly inviter_role: WorkspaceRole | null;
  readonly is_mailed: boolean | number;
  readonly created_at: string;
  readonly expires_at: string;
}

const columns = sql`i.id, i.workspace_id, i.email, i.role, i.teams, i.invited_by, p.name as inviter_name,
  p.is_operator as inviter_is_operator, p.disabled_at as inviter_disabled_at, m.role as inviter_role, i.is_mailed,
  i.created_at, i.expires_at`;
const tables = sql`invitations i left join people p on p.id = i.invited_by
  left join memberships m on m.workspace_id = i.workspace_id and m.person_id = i.invited_by`;
/** Neither accepted nor revoked; it may have expired. An open invitation is pending and has not expired. */
const isPending = sql`accepted_at is null and revoked_at is null`;

/** Finds an open invitation. */
export const findOpenInvitation = (transaction: Transaction, tokenHash: string): Promise<InvitationRow | undefined> =>
  transaction.first<InvitationRow>(
    sql`select ${columns} from ${tables}
        where i.token_hash = ${tokenHash} and ${isPending} and i.expires_at > ${transaction.now}`,
  );

/** Finds a pending invitation of the workspace. */
export const findInvitationById = (
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<InvitationRow | undefined> =>
  transaction.first<InvitationRow>(
    sql`select ${columns} from ${tables} where i.id = ${id} and i.workspace_id = ${workspaceId} and ${isPending}`,
  );

/** Lists pending invitations, newest first, without those that expired before `since`. */
export const listInvitations = (
  transaction: Transaction,
  workspaceId: string,
  since: string,
): Promise<InvitationRow[]> =>
  transaction.all<InvitationRow>(
    sql`select ${columns} from ${tables}
        where i.workspace_id = ${workspaceId} and ${isPending} and i.expires_at > ${since}
        order by i.created_at desc, i.id desc`,
  );

/** Counts the open invitations of a workspace. */
export async function countOpenInvitations(transaction: Transaction, workspaceId: string): Promise<number> {
  const row = await transaction.first<{ invitations: number }>(
    sql`select count(*) as invitations from invitations
        where workspace_id = ${workspaceId} and ${isPending} and expires_at > ${transaction.now}`,
  );
  return row?.invitations ?? 0;
}

export interface NewInvitation {
  readonly id: string;
  readonly workspace_id: string | null;
  readonly email: string | null;
  readonly role: WorkspaceRole;
  readonly teams: string;
  readonly token_hash: string;
  readonly invited_by: string | null;
  readonly is_mailed: boolean;
  readonly created_at: string;
  readonly expires_at: string;
}

export const insertInvitation = (transaction: Transaction, invitation: NewInvitation): void =>
  transaction.insert("invitations", [{ ...invitation, accepted_at: null, revoked_at: null }]);

/** @returns false for an invitation that was accepted or revoked meanwhile */
export async function markAccepted(transaction: Transaction, id: string): Promise<boolean> {
  const changed = await transaction.run(
    sql`update invitations set accepted_at = ${transaction.now}
        where id = ${id} and ${isPending} and expires_at > ${transaction.now}`,
  );
  return changed === 1;
}

const revoke = (transaction: Transaction, workspaceId: string, condition: Sql): Promise<number> =>
  transaction.run(
    sql`update invitations set revoked_at = ${transaction.now}
        where workspace_id = ${workspaceId} and ${isPending} and ${condition}`,
  );

export const revokeById = (transaction: Transaction, workspaceId: string, id: string): Promise<number> =>
  revoke(transaction, workspaceId, sql`id = ${id}`);

export const revokeByEmail = (transaction: Transaction, workspaceId: string, email: string): Promise<number> =>
  revoke(transaction, workspaceId, sql`email = ${email}`);

/** Lists the open invitations that a person sent, in all workspaces, oldest first. */
export const listOpenInvitationsOf = (transaction: Transaction, inviterId: string): Promise<InvitationRow[]> =>
  transaction.all<InvitationRow>(
    sql`select ${columns} from ${tables}
        where i.invited_by = ${inviterId} and ${isPending} and i.expires_at > ${transaction.now} order by i.id`,
  );

/** Finds the open invitation of an address. */
export const findOpenInvitationTo = (
  transaction: Transaction,
  workspaceId: string,
  email: string,
): Promise<InvitationRow | undefined> =>
  transaction.first<InvitationRow>(
    sql`select ${columns} from ${tables}
        where i.workspace_id = ${workspaceId} and i.email = ${email} and ${isPending} and i.expires_at > ${transaction.now}`,
  );

/** Revokes a pending invitation of any workspace. @returns false for one that was accepted or revoked meanwhile */
export const revokeAnywhere = async (transaction: Transaction, id: string): Promise<boolean> =>
  (await transaction.run(
    sql`update invitations set revoked_at = ${transaction.now} where id = ${id} and ${isPending}`,
  )) === 1;
