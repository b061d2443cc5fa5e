// Deleting an account: everything that is about the person goes, and what they did stays under a pseudonym.
import { consoleErrors } from "../../contract/console/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { queueMail } from "../../platform/mail/outbox.ts";
import { type AuditActor, noWorkspace, recordAuditEntry } from "../audit/audit.ts";
import { forgetPerson } from "../audit/chain.ts";
import { countOtherOwners } from "../members/members.store.ts";
import { lockForWorkspaceChange } from "../workspaces/workspaces.store.ts";
import { deleteOwnRows, lockAccount, renameCreatorOfKeys, replacePerson } from "./delete-account.store.ts";
import { findPerson, listMemberships } from "./people.store.ts";

const digitsOfPseudonym = 4;

/** The end of an id is random. */
const pseudonymOf = (id: string): string => `Former member ${id.slice(-digitsOfPseudonym)}`;

/**
 * @param by the operator's command; undefined for the person
 * @param isMailed whether the instance sends mail
 * @returns the pseudonym. @throws Refusal `not_found`; `conflict` for the only owner of a workspace
 */
export async function deleteAccount(
  transaction: Transaction,
  personId: string,
  by: AuditActor | undefined,
  isMailed: boolean,
): Promise<string> {
  lockAccount(transaction, personId);
  const person = await findPerson(transaction, personId);
  if (!person || person.deleted_at !== null) throw consoleErrors.notFound("person");
  const memberships = await listMemberships(transaction, personId);
  const ownedAlone: string[] = [];
  for (const { workspace_id, workspace_name, role, deleted_at } of memberships) {
    lockForWorkspaceChange(transaction, workspace_id);
    const isNeeded = role === "owner" && deleted_at === null;
    if (isNeeded && (await countOtherOwners(transaction, workspace_id, personId)) === 0)
      ownedAlone.push(workspace_name);
  }
  if (ownedAlone.length > 0) throw consoleErrors.onlyOwner(ownedAlone);
  const pseudonym = pseudonymOf(personId);
  const actor = by ?? { kind: "person", id: personId, name: pseudonym, clientAddress: null };
  renameCreatorOfKeys(transaction, personId, person.name, pseudonym);
  deleteOwnRows(transaction, personId, person.email);
  forgetPerson(transaction, person, pseudonym);
  replacePerson(transaction, personId, pseudonym, `${personId}@deleted.invalid`);
  for (const { workspace_id } of memberships)
    recordAuditEntry(transaction, workspace_id, actor, {
      action: "member.delete",
      target: { kind: "member", id: personId, name: pseudonym },
    });
  recordAuditEntry(transaction, noWorkspace, actor, {
    action: "account.delete",
    target: { kind: "account", id: personId, name: pseudonym },
  });
  if (isMailed)
    queueMail(transaction, {
      recipient: person.email,
      subject: "Your Commonplace account was deleted",
      body: `Hello,

Your Commonplace account was deleted${by ? " by the operator of the service" : ""}. Your sessions, access tokens, two-factor authentication, and passkeys no longer work.

The snippets that you wrote stay in their workspaces, with “${pseudonym}” as their author.

If ${by ? "you have questions" : "this was not you"}, contact the operator of the service.
`,
    });
  return pseudonym;
}
