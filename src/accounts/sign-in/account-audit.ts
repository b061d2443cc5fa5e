// Audits what Better Auth does to an account, in the transaction that writes the account's row.
import type { Transaction } from "../../platform/database/database.ts";
import type { Value } from "../../platform/database/sql.ts";
import { type AuditEntry, recordAccountEntry } from "../audit/audit.ts";
import { findPerson } from "../people/people.store.ts";
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
}

/** The row as it is stored, or as it was before it was deleted. */
type RecordRow = (transaction: Transaction, row: Readonly<Record<string, Value>>) => Promise<void>;

/** @returns what audits a written row of the model; undefined where the call audits no change of it */
export function recorderFor(context: AuditContext | undefined, model: string): RecordRow | undefined {
  const { audits, clientAddress } = context ?? {};
  if (clientAddress === undefined || audits?.model !== model) return undefined;
  return async (transaction, row) => {
    const details = model === "passkey" ? { name: row.name || null } : undefined;
    await recordOwnChange(transaction, String(row.person_id ?? row.id), clientAddress, {
      action: audits.action,
      ...(details && (audits.action.endsWith(".delete") ? { before: details } : { after: details })),
    });
  };
}

/** Audits what a person did to their own account. */
export async function recordOwnChange(
  transaction: Transaction,
  personId: string,
  clientAddress: string | null,
  entry: Omit<AuditEntry, "target">,
): Promise<void> {
  const person = await findPerson(transaction, personId);
  if (!person) return;
  recordAccountEntry(transaction, { kind: "person", id: personId, name: person.name, clientAddress }, person, entry);
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
