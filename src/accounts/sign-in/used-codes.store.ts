// The rows of one-time codes that were used.
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { hashSecret } from "../../platform/secrets/secrets.ts";

/** Two uses of a code at the same moment run one after the other. */
export const lockForCodeUse = (transaction: Transaction, personId: string): void =>
  transaction.lock("change", sql`select id from people where id = ${personId}`);

/** With a digest: people paste other secrets into the field for the code. */
const identifierOf = (personId: string, code: string): string => `totp-used:${personId}:${hashSecret(code)}`;

export const isCodeUsed = async (transaction: Transaction, personId: string, code: string): Promise<boolean> =>
  (await transaction.first(
    sql`select id from person_verifications
        where identifier = ${identifierOf(personId, code)} and expires_at > ${transaction.now}`,
  )) !== undefined;

/** @param expiresAt when the code can no longer be right */
export const insertUsedCode = (transaction: Transaction, personId: string, code: string, expiresAt: string): void =>
  transaction.insert("person_verifications", [
    {
      id: transaction.newId(),
      identifier: identifierOf(personId, code),
      value: "",
      expires_at: expiresAt,
      created_at: transaction.now,
      updated_at: transaction.now,
    },
  ]);

export const deleteUsedCode = (transaction: Transaction, personId: string, code: string): void =>
  transaction.send(sql`delete from person_verifications where identifier = ${identifierOf(personId, code)}`);
