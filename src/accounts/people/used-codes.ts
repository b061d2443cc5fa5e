// A one-time code is good for one time (RFC 6238, 5.2): who looks over a shoulder must not use it again in its half minute.
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { addSeconds } from "../../platform/time.ts";

/** A code is accepted in its own period of 30 seconds, in the one before and in the one after. */
const rememberedSeconds = 120;

const identifierOf = (personId: string, code: string): string => `totp-used:${personId}:${code}`;

/** Claims a code before it is tried. @returns false where the person used it already, or is just using it */
export async function claimCode(transaction: Transaction, personId: string, code: string): Promise<boolean> {
  // The same code twice at the same moment comes one after the other.
  transaction.lock("change", sql`select id from people where id = ${personId}`);
  const identifier = identifierOf(personId, code);
  const used = await transaction.first(
    sql`select id from person_verifications where identifier = ${identifier} and expires_at > ${transaction.now}`,
  );
  if (used !== undefined) return false;
  transaction.insert("person_verifications", [
    {
      ...{ id: transaction.newId(), identifier, value: "" },
      expires_at: addSeconds(transaction.now, rememberedSeconds),
      ...{ created_at: transaction.now, updated_at: transaction.now },
    },
  ]);
  return true;
}

/** A code that was claimed, and then was not right, may be tried again. */
export function releaseCode(transaction: Transaction, personId: string, code: string): void {
  transaction.send(sql`delete from person_verifications where identifier = ${identifierOf(personId, code)}`);
}
