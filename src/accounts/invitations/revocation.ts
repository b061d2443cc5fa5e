// Invitations that end with what happens to an account: to the person who sent them, or to the one they were sent to.
import type { Transaction } from "../../platform/database/database.ts";
import { type AuditActor, noWorkspace, recordAuditEntry } from "../audit/audit.ts";
import * as store from "./invitations.store.ts";
import { type Invitation, invitedTeams, mayStillInvite, toInvitation } from "./invitations.ts";

/**
 * Revokes the open invitations that a person may no longer send: all of a disabled or deleted account, and those beyond a role that was
 * lowered or taken away.
 * @returns the revoked ones, for `recordRevocations`
 */
export const revokeBeyondRights = (transaction: Transaction, inviterId: string): Promise<readonly Invitation[]> =>
  revokeSent(transaction, inviterId, (row) => !mayStillInvite(row));

/** Revokes all open invitations that a person sent. @returns the revoked ones */
export const revokeAllSent = (transaction: Transaction, inviterId: string): Promise<readonly Invitation[]> =>
  revokeSent(transaction, inviterId, () => true);

/** Revokes the open invitation of an address, which is a member's now, or no longer is. @returns it, if there was one */
export async function revokeReceived(
  transaction: Transaction,
  workspaceId: string,
  email: string,
): Promise<readonly Invitation[]> {
  const row = await store.findOpenInvitationTo(transaction, workspaceId, email);
  return row ? revoke(transaction, [row]) : [];
}

/** Records each in the audit log of its workspace. */
export async function recordRevocations(
  transaction: Transaction,
  actor: AuditActor,
  revoked: readonly Invitation[],
): Promise<void> {
  for (const invitation of revoked) {
    const { id, workspace_id, email, role } = invitation;
    const teams = await invitedTeams(transaction, invitation);
    recordAuditEntry(transaction, workspace_id ?? noWorkspace, actor, {
      action: "invitation.delete",
      target: { kind: "invitation", id, name: email },
      before: { email, role, teams },
    });
  }
}

async function revokeSent(
  transaction: Transaction,
  inviterId: string,
  isRevoked: (row: store.InvitationRow) => boolean,
): Promise<readonly Invitation[]> {
  return revoke(transaction, (await store.listOpenInvitationsOf(transaction, inviterId)).filter(isRevoked));
}

async function revoke(transaction: Transaction, rows: readonly store.InvitationRow[]): Promise<readonly Invitation[]> {
  const revoked: Invitation[] = [];
  for (const row of rows) if (await store.revokeAnywhere(transaction, row.id)) revoked.push(toInvitation(row));
  return revoked;
}
