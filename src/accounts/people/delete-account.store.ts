// What is removed with an account. Its row stays, with a pseudonym, so that what the person wrote keeps an author.
import type { Transaction } from "../../platform/database/database.ts";
import { name, sql } from "../../platform/database/sql.ts";
import { dropAlertRecipient } from "../members/alert-recipients.store.ts";

/** Tables whose rows are about one person, and go with the account. Teams and access tokens go with memberships. */
const ownTables = [
  "person_sessions",
  "person_passkeys",
  "person_second_factors",
  "person_credentials",
  "known_sign_ins",
  "counted_attempts",
  "memberships",
] as const;

export const lockAccount = (transaction: Transaction, id: string): void =>
  transaction.lock("change", sql`select id from people where id = ${id}`);

export function deleteOwnRows(transaction: Transaction, id: string, email: string): void {
  for (const table of ownTables) transaction.send(sql`delete from ${name(table)} where person_id = ${id}`);
  transaction.send(sql`delete from person_verifications where value = ${id}`);
  transaction.send(sql`delete from invitations where email = ${email}`);
  dropAlertRecipient(transaction, email, sql`1 = 1`);
}

/** Keys name who created them. Of namesakes, only keys that this person created are renamed. */
export const renameCreatorOfKeys = (transaction: Transaction, id: string, known: string, pseudonym: string): void =>
  transaction.send(
    sql`update api_keys set created_by = ${pseudonym} where created_by = ${known} and cast(id as text) in
        (select target_id from audit_log where actor_id = ${id} and action = 'key.create')`,
  );

export const replacePerson = (
  transaction: Transaction,
  id: string,
  {
    pseudonym,
    email,
    addressesKeptUntil,
  }: { readonly pseudonym: string; readonly email: string; readonly addressesKeptUntil: string },
): void =>
  transaction.send(
    sql`update people set name = ${pseudonym}, email = ${email}, image = null, email_verified = ${false},
          two_factor_enabled = ${false}, is_operator = ${false}, disabled_at = ${transaction.now},
          deleted_at = ${transaction.now}, updated_at = ${transaction.now}, addresses_kept_until = ${addressesKeptUntil}
        where id = ${id}`,
  );
