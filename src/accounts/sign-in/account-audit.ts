// Audits what Better Auth does to an account, in the transaction that writes the account's row.
import type { Transaction } from "../../platform/database/database.ts";
import type { Value } from "../../platform/database/sql.ts";
import { type AuditEntry, recordAccountEntry } from "../audit/audit.ts";
import { recordRevocations, revokeAllSent } from "../invitations/revocation.ts";
import { findPerson, type PersonRow, takeOver } from "../people/people.store.ts";
import { removeAllTokens } from "../people/tokens.store.ts";

/** A change of an account. It is done when Better Auth writes a row of this model. */
export interface AuditedChange {
  readonly model: "account" | "user" | "twoFactor" | "passkey";
  readonly action: string;
}

/** The call of Better Auth that may make such a change. */
export interface AuditContext {
  readonly audits: AuditedChange | undefined;
  readonly clientAddress: string;
  /** Called in the transaction that opens a session. */
  readonly onSession: (transaction: Transaction, person: PersonRow) => Promise<void>;
  /** Called in the transaction of an audited change. */
  readonly onChange: (transaction: Transaction, person: PersonRow, action: string) => void;
}

/** The row as it is stored, or as it was before it was deleted. */
type RecordRow = (transaction: Transaction, row: Readonly<Record<string, Value>>) => Promise<void>;

/** @returns what audits a written row of the model; undefined where the call audits no change of it */
export function recorderFor(context: AuditContext | undefined, model: string): RecordRow | undefined {
  if (!context?.audits || context.audits.model !== model) return undefined;
  const { audits, clientAddress, onChange } = context;
  return async (transaction, row) => {
    const details = model === "passkey" ? { name: row.name || null } : undefined;
    const person = await recordOwnChange(transaction, String(row.person_id ?? row.id), clientAddress, {
      action: audits.action,
      ...(details && (audits.action.endsWith(".delete") ? { before: details } : { after: details })),
    });
    if (person) onChange(transaction, person, audits.action);
  };
}

/** Audits what a person did to their own account. @returns the person */
export async function recordOwnChange(
  transaction: Transaction,
  personId: string,
  clientAddress: string | null,
  entry: Omit<AuditEntry, "target">,
): Promise<PersonRow | undefined> {
  const person = await findPerson(transaction, personId);
  if (person)
    recordAccountEntry(transaction, { kind: "person", id: personId, name: person.name, clientAddress }, person, entry);
  return person;
}

/** Audits that the OpenID provider has verified the address of an account. If it was not verified before, all that was set up in it ends. */
export async function linkIdentity(
  transaction: Transaction,
  personId: string,
  clientAddress: string | null,
): Promise<void> {
  const isTakenOver = await takeOver(transaction, personId);
  const action = isTakenOver ? "account.take_over" : "openid.link";
  const person = await recordOwnChange(transaction, personId, clientAddress, { action });
  if (!isTakenOver || !person) return;
  const actor = { kind: "person", id: personId, name: person.name, clientAddress } as const;
  await recordRevocations(transaction, actor, await revokeAllSent(transaction, personId));
}

/** Ends all tokens of a person, and audits it. */
export async function revokeAllTokens(
  transaction: Transaction,
  personId: string,
  clientAddress: string | null,
): Promise<void> {
  const ended = await removeAllTokens(transaction, personId);
  if (ended > 0)
    await recordOwnChange(transaction, personId, clientAddress, { action: "token.delete_all", after: { ended } });
}
