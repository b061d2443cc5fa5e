// Deleting an account: everything that is about the person goes, and what they did stays under a pseudonym.
import { consoleErrors } from "../../contract/console/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { queueMail } from "../../platform/mail/outbox.ts";
import { addDays } from "../../platform/time.ts";
import { type AuditActor, noWorkspace, recordAuditEntry } from "../audit/audit.ts";
import { forgetPerson } from "../audit/chain.ts";
import type { Invitation } from "../invitations/invitations.ts";
import { recordRevocations, revokeBeyondRights } from "../invitations/revocation.ts";
import { countOtherOwners } from "../members/members.store.ts";
import { lockForWorkspaceChange } from "../workspaces/workspaces.store.ts";
import { deleteOwnRows, lockAccount, renameCreatorOfKeys, replacePerson } from "./delete-account.store.ts";
import { findPerson, listMemberships, type MembershipRow } from "./people.store.ts";

const digitsOfPseudonym = 4;

/** The end of an id is random. */
const pseudonymOf = (id: string): string => `Former member ${id.slice(-digitsOfPseudonym)}`;

/** How long the IP addresses of a deleted account stay in the audit logs, so that a workspace can still find out who used it. */
export const addressesKeptDays = 90;

/** A deleted account, as far as those who remain have to know of it. */
export interface DeletedAccount {
  readonly id: string;
  /** As they were until now. */
  readonly name: string;
  readonly email: string;
  /** What their entries say from now on. */
  readonly pseudonym: string;
  readonly memberships: readonly MembershipRow[];
  /** The invitations that the person had sent. */
  readonly revoked: readonly Invitation[];
}

/**
 * @param by the operator's command; undefined for the person
 * @param isMailed whether the instance sends mail
 * @throws Refusal `not_found`; `conflict` for the only owner of a workspace
 */
export async function deleteAccount(
  transaction: Transaction,
  personId: string,
  by: AuditActor | undefined,
  isMailed: boolean,
): Promise<DeletedAccount> {
  lockAccount(transaction, personId);
  const person = await findPerson(transaction, personId);
  if (!person || person.deleted_at !== null) throw consoleErrors.notFound("person");
  const memberships = await listMemberships(transaction, personId);
  await requireOtherOwners(transaction, personId, memberships);
  const pseudonym = pseudonymOf(personId);
  const actor = by ?? { kind: "person", id: personId, name: pseudonym, clientAddress: null };
  renameCreatorOfKeys(transaction, personId, person.name, pseudonym);
  deleteOwnRows(transaction, personId, person.email);
  forgetPerson(transaction, person, pseudonym);
  replacePerson(transaction, personId, {
    pseudonym,
    email: `${personId}@deleted.invalid`,
    addressesKeptUntil: addDays(transaction.now, addressesKeptDays),
  });
  const revoked = await revokeBeyondRights(transaction, personId);
  await recordRevocations(transaction, actor, revoked);
  for (const { workspace_id } of memberships)
    recordAuditEntry(transaction, workspace_id, actor, {
      action: "member.delete",
      target: { kind: "member", id: personId, name: pseudonym },
    });
  recordAuditEntry(transaction, noWorkspace, actor, {
    action: "account.delete",
    target: { kind: "account", id: personId, name: pseudonym },
    after: { invitations_revoked: revoked.length },
  });
  if (isMailed) mailPerson(transaction, person.email, pseudonym, by !== undefined);
  return { id: personId, name: person.name, email: person.email, pseudonym, memberships, revoked };
}

async function requireOtherOwners(
  transaction: Transaction,
  personId: string,
  memberships: readonly MembershipRow[],
): Promise<void> {
  const ownedAlone: string[] = [];
  for (const { workspace_id, workspace_name, role, deleted_at } of memberships) {
    lockForWorkspaceChange(transaction, workspace_id);
    const isNeeded = role === "owner" && deleted_at === null;
    if (isNeeded && (await countOtherOwners(transaction, workspace_id, personId)) === 0)
      ownedAlone.push(workspace_name);
  }
  if (ownedAlone.length > 0) throw consoleErrors.onlyOwner(ownedAlone);
}

const mailPerson = (transaction: Transaction, recipient: string, pseudonym: string, isByOperator: boolean): void =>
  queueMail(transaction, {
    recipient,
    subject: "Your Commonplace account was deleted",
    body: `Hello,

Your Commonplace account was deleted${isByOperator ? " by the operator of the service" : ""}. Your sessions, access tokens, two-factor authentication, and passkeys no longer work, and the pending invitations that you sent were revoked.

The snippets that you wrote stay in their workspaces, with “${pseudonym}” as their author. The IP addresses from which you used the console are kept in the audit logs for ${addressesKeptDays} days, then deleted.

If ${isByOperator ? "you have questions" : "this was not you"}, contact the operator of the service.
`,
  });
