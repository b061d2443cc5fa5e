// Stopping an account: for a person who left, or whose password or device is in the wrong hands.
import { consoleErrors } from "../../contract/console/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import type { AuditEntry } from "../audit/audit.ts";
import * as store from "./people.store.ts";
import { endAllSessions } from "./sessions.store.ts";
import { removeAllTokens } from "./tokens.store.ts";

/** What an operator can do to an account, by the names that the console and the commands share. */
export const accountChanges = {
  /** Ends everything, and refuses every way to sign in. Roles stay, for the case that the account is enabled again. */
  disable: async (transaction, person) => {
    store.saveDisabledAt(transaction, person.id, transaction.now);
    store.deleteVerifications(transaction, person.id);
    return { action: "account.disable", after: await endAccess(transaction, person.id) };
  },
  enable: async (transaction, person) => {
    store.saveDisabledAt(transaction, person.id, null);
    return { action: "account.enable" };
  },
  /** The person can sign in again at once. */
  signOut: async (transaction, person) => ({
    action: "account.sign_out",
    after: await endAccess(transaction, person.id),
  }),
  dropSecondFactor: async (transaction, person) => {
    store.deleteSecondFactors(transaction, person.id);
    return { action: "second_factor.drop" };
  },
  revokeOperator: async (transaction, person) => {
    store.revokeOperator(transaction, person.id);
    return { action: "operator.revoke" };
  },
} as const satisfies Record<string, Change>;

type Change = (transaction: Transaction, person: store.PersonRow) => Promise<Omit<AuditEntry, "target">>;

export type AccountChange = keyof typeof accountChanges;

/**
 * @param actorId the person who does it; undefined for a command
 * @returns the person as they are then, and what the caller has to audit
 * @throws Refusal `not_found`; `conflict` for the actor's own account
 */
export async function changeAccount(
  transaction: Transaction,
  change: AccountChange,
  personId: string,
  actorId?: string,
): Promise<{ readonly person: store.PersonRow; readonly entry: Omit<AuditEntry, "target"> }> {
  const before = await store.findPerson(transaction, personId);
  if (!before || before.deleted_at !== null) throw consoleErrors.notFound("person");
  // So that the console always has an operator.
  if (personId === actorId) throw consoleErrors.ownAccount();
  const entry = await accountChanges[change](transaction, before);
  const person = await store.findPerson(transaction, personId);
  if (!person) throw consoleErrors.notFound("person");
  return { person, entry };
}

const endAccess = async (transaction: Transaction, personId: string) => ({
  sessions_ended: await endAllSessions(transaction, personId),
  tokens_ended: await removeAllTokens(transaction, personId),
});
