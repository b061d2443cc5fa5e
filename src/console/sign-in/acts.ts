// What the sign-in library does to an account, as the account's security log tells of it: written down with the row that says it was done.
import { type Act, recordAccountAct } from "../../accounts/audit/audit.ts";
import { findPerson } from "../../accounts/people/people.store.ts";
import type { Transaction } from "../../platform/database/database.ts";
import type { Value } from "../../platform/database/sql.ts";

/** An act on an account, which is done when the library writes a row of this model. */
export interface AccountAct {
  readonly model: "account" | "user" | "twoFactor" | "passkey";
  readonly action: string;
}

/** A call in which such an act may be done. */
export interface Acting {
  readonly act: AccountAct | undefined;
  readonly clientAddress: string;
}

/** The row is as it is stored; of what was deleted, as it was. */
type Recorder = (transaction: Transaction, row: Readonly<Record<string, Value>>) => Promise<void>;

/** What a change of a model has to be told to; undefined where it is no act of its own. */
export function recorderOf(acting: Acting | undefined, model: string): Recorder | undefined {
  const { act, clientAddress } = acting ?? {};
  if (clientAddress === undefined || act?.model !== model) return undefined;
  return async (transaction, row) => {
    const details = model === "passkey" ? { name: row.name || null } : undefined;
    await recordByPerson(transaction, String(row.person_id ?? row.id), clientAddress, {
      action: act.action,
      ...(details && (act.action.endsWith(".delete") ? { before: details } : { after: details })),
    });
  };
}

/** Writes down what somebody did to their own account. */
export async function recordByPerson(
  transaction: Transaction,
  personId: string,
  clientAddress: string | null,
  act: Omit<Act, "target">,
): Promise<void> {
  const person = await findPerson(transaction, personId);
  if (!person) return;
  recordAccountAct(transaction, { kind: "person", id: personId, name: person.name, clientAddress }, person, act);
}
