// Joining by the link of an invitation, with the account of its address or with a new one. The link for the first administrator works
// the same way, as long as the instance has no people.
import { consoleErrors } from "../../contract/console/errors.ts";
import { errors } from "../../contract/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { type AuditActor, noWorkspace, recordAccountEntry, recordAuditEntry } from "../audit/audit.ts";
import { makeFirstAdministrator } from "../people/first-administrator.ts";
import {
  findPersonByEmail,
  hasPeople,
  insertPassword,
  insertPerson,
  type PersonRow,
  verifyEmail,
} from "../people/people.store.ts";
import { acceptInvitation, findInvitation, type Invitation, invitedTeams } from "./invitations.ts";

/** @throws Refusal `not_found` for a link that was used, revoked or has expired */
export async function requireInvitation(transaction: Transaction, token: string): Promise<Invitation> {
  const invitation = await findInvitation(transaction, token);
  const isUsable = invitation && (invitation.workspace_id !== null || !(await hasPeople(transaction)));
  if (!isUsable) throw consoleErrors.notFound("invitation");
  return invitation;
}

/** The account of the invited address; undefined without one, and for the link of the first administrator. */
export const findInvitedAccount = async (
  transaction: Transaction,
  { email }: Invitation,
): Promise<PersonRow | undefined> => (email === null ? undefined : findPersonByEmail(transaction, email));

/**
 * Joins with the account that is signed in.
 * @param actor undefined where nobody is signed in. @throws Refusal `not_found`; `conflict` for another account than the invited one
 */
export async function joinWithAccount(
  transaction: Transaction,
  token: string,
  actor: (AuditActor & { readonly id: string; readonly email: string }) | undefined,
): Promise<void> {
  const invitation = await requireInvitation(transaction, token);
  if (!actor) throw consoleErrors.accountExists(invitation.email);
  if (actor.email !== invitation.email) throw consoleErrors.otherAccount(invitation.email);
  await acceptInvitation(transaction, invitation, actor.id);
  if (invitation.is_mailed) await verifyEmail(transaction, actor.id);
  await recordJoining(transaction, invitation, actor, actor.email);
}

export interface NewAccount {
  readonly name: string;
  /** Counts only where the invitation names no address. */
  readonly email: string | undefined;
  readonly passwordHash: string;
}

/**
 * Joins with a new account.
 * @returns the new person. @throws Refusal `not_found`; `invalid` without an address; `conflict` where the address has an account
 */
export async function joinAsNewPerson(
  transaction: Transaction,
  token: string,
  account: NewAccount,
  clientAddress: string,
): Promise<{ readonly id: string; readonly name: string; readonly email: string }> {
  const invitation = await requireInvitation(transaction, token);
  const email = invitation.email ?? account.email;
  if (email === undefined) throw errors.invalid("email is required");
  if (await findInvitedAccount(transaction, invitation)) throw consoleErrors.accountExists(invitation.email);
  const person = { name: account.name, email, passwordHash: account.passwordHash, clientAddress };
  const join = invitation.workspace_id === null ? joinAsFirstAdministrator : joinAsMember;
  return { id: await join(transaction, invitation, person), name: account.name, email };
}

interface NewPerson {
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly clientAddress: string;
}

async function joinAsFirstAdministrator(
  transaction: Transaction,
  invitation: Invitation,
  { name, email, passwordHash, clientAddress }: NewPerson,
): Promise<string> {
  const { personId, workspaceIds } = await makeFirstAdministrator(transaction, invitation, {
    name,
    email,
    passwordHash,
  });
  const actor = { kind: "person", id: personId, name, clientAddress } as const;
  const account = { id: personId, email };
  recordAccountEntry(transaction, actor, account, { action: "account.create", after: { name, operator: true } });
  for (const workspaceId of workspaceIds)
    recordAuditEntry(transaction, workspaceId, actor, {
      action: "member.join",
      target: { kind: "member", id: personId, name },
      after: { email, role: "owner" },
    });
  return personId;
}

async function joinAsMember(
  transaction: Transaction,
  invitation: Invitation,
  { name, email, passwordHash, clientAddress }: NewPerson,
): Promise<string> {
  // A mailed link was only in that mail. Any other has been seen by the inviter, so it verifies nothing.
  const isEmailVerified = invitation.is_mailed;
  const personId = await insertPerson(transaction, { name, email, isEmailVerified, isOperator: false });
  if (personId === undefined) throw consoleErrors.accountExists(invitation.email);
  insertPassword(transaction, personId, passwordHash);
  const actor = { kind: "person", id: personId, name, clientAddress } as const;
  recordAccountEntry(transaction, actor, { id: personId, email }, { action: "account.create", after: { name } });
  await acceptInvitation(transaction, invitation, personId);
  await recordJoining(transaction, invitation, actor, email);
  return personId;
}

async function recordJoining(
  transaction: Transaction,
  invitation: Invitation,
  actor: AuditActor,
  email: string,
): Promise<void> {
  const { workspace_id, role } = invitation;
  const teams = await invitedTeams(transaction, invitation);
  recordAuditEntry(transaction, workspace_id ?? noWorkspace, actor, {
    action: "member.join",
    target: { kind: "member", id: actor.id, name: actor.name },
    after: { email, role, ...(teams.length > 0 && { teams }) },
  });
}
