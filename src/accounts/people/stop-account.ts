// Stopping an account: for a person who left, or whose password or device is in the wrong hands.
import { consoleErrors } from "../../contract/console/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { type AuditActor, recordAccountEntry } from "../audit/audit.ts";
import type { Invitation } from "../invitations/invitations.ts";
import { recordRevocations, revokeAllSent, revokeBeyondRights } from "../invitations/revocation.ts";
import * as store from "./people.store.ts";
import { endAllSessions } from "./sessions.store.ts";
import { removeAllTokens } from "./tokens.store.ts";

/** What an operator can do to an account, by the names that the console and the commands share. */
export const accountChanges = {
  /** Ends everything, and refuses every way to sign in. Roles stay, for the case that the account is enabled again. */
  disable: async (transaction, { id }) => {
    store.saveDisabledAt(transaction, id, transaction.now);
    const access = await endAccess(transaction, id);
    return { action: "account.disable", access, revoked: await revokeBeyondRights(transaction, id) };
  },
  enable: async (transaction, { id }) => {
    store.saveDisabledAt(transaction, id, null);
    return { action: "account.enable" };
  },
  /** The person can sign in again immediately. Someone else may have used the account to send the invitations. */
  signOut: async (transaction, { id }) => {
    const access = await endAccess(transaction, id);
    return { action: "account.sign_out", access, revoked: await revokeAllSent(transaction, id) };
  },
  dropSecondFactor: async (transaction, { id }) => {
    store.deleteSecondFactors(transaction, id);
    return { action: "second_factor.drop" };
  },
  revokeOperator: async (transaction, { id }) => {
    store.revokeOperator(transaction, id);
    return { action: "operator.revoke", revoked: await revokeBeyondRights(transaction, id) };
  },
} as const satisfies Record<string, Change>;

type Change = (transaction: Transaction, person: store.PersonRow) => Promise<Changed>;

interface Changed {
  readonly action: string;
  readonly access?: Awaited<ReturnType<typeof endAccess>>;
  readonly revoked?: readonly Invitation[];
}

export type AccountChange = keyof typeof accountChanges;

/** How much of what the account left behind ended with a change. */
export interface Ended {
  readonly sessions: number;
  readonly tokens: number;
  /** Invitations that the person had sent. */
  readonly invitations: number;
}

/**
 * Changes an account, and audits it.
 * @throws Refusal `not_found`; `conflict` for the actor's own account
 */
export async function changeAccount(
  transaction: Transaction,
  change: AccountChange,
  personId: string,
  actor: AuditActor,
): Promise<{ readonly person: store.PersonRow; readonly action: string; readonly ended: Ended }> {
  const before = await store.findPerson(transaction, personId);
  if (!before || before.deleted_at !== null) throw consoleErrors.notFound("person");
  // So that the console always has an operator.
  if (personId === actor.id) throw consoleErrors.ownAccount();
  const { action, access, revoked }: Changed = await accountChanges[change](transaction, before);
  const after = { ...access, ...(revoked && { invitations_revoked: revoked.length }) };
  recordAccountEntry(transaction, actor, before, { action, ...(revoked && { after }) });
  await recordRevocations(transaction, actor, revoked ?? []);
  const person = await store.findPerson(transaction, personId);
  if (!person) throw consoleErrors.notFound("person");
  const { sessions_ended: sessions = 0, tokens_ended: tokens = 0 } = access ?? {};
  return { person, action, ended: { sessions, tokens, invitations: revoked?.length ?? 0 } };
}

/** Ends sessions, access tokens, unfinished sign-ins, and links that set a password or verify the address. */
async function endAccess(transaction: Transaction, personId: string) {
  store.deleteVerifications(transaction, personId);
  return {
    sessions_ended: await endAllSessions(transaction, personId),
    tokens_ended: await removeAllTokens(transaction, personId),
  };
}
