// The rows of one-time code secrets, as far as wrong codes are counted in them. Better Auth, whose own lock is off, does not use the two.
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

export interface GuessRow {
  /** Wrong codes in a row. */
  readonly failed_verification_count: number;
  /** Until then, no code is tried. */
  readonly locked_until: string | null;
}

/** The wrong codes of a person; undefined for a person without codes. */
export const findGuesses = (transaction: Transaction, personId: string): Promise<GuessRow | undefined> =>
  transaction.first<GuessRow>(
    sql`select failed_verification_count, locked_until from person_second_factors where person_id = ${personId}`,
  );

export const saveGuesses = (transaction: Transaction, personId: string, row: GuessRow): void =>
  transaction.send(
    sql`update person_second_factors
        set failed_verification_count = ${row.failed_verification_count}, locked_until = ${row.locked_until}
        where person_id = ${personId}`,
  );
