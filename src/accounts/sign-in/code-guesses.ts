// Wrong one-time codes in a row are counted for each account, on all nodes together (NIST SP 800-63B, 5.2.2): from the tenth on, each
// further one has to wait longer, and after a hundred no code is accepted. Passkeys and recovery codes work all the same.
import { consoleErrors } from "../../contract/console/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { addSeconds } from "../../platform/time.ts";
import { findGuesses, saveGuesses } from "./code-guesses.store.ts";

/** Wrong codes in a row without a delay: people mistype. */
const freeGuesses = 10;
/** After so many, no code is accepted. */
export const guessesMax = 100;
const delayFirstSeconds = 30;
const delayMaxSeconds = 15 * 60;

/**
 * Counts a code as a wrong one before it is tried, so that simultaneous ones all count. The caller has locked the person.
 * @returns how many in a row it makes. @throws Refusal `rate_limited` while the account has to wait; `forbidden` after too many
 */
export async function countGuess(transaction: Transaction, personId: string): Promise<number> {
  const row = await findGuesses(transaction, personId);
  if (!row) return 0;
  const { failed_verification_count: before, locked_until } = row;
  if (before >= guessesMax) throw consoleErrors.codesStopped();
  if (locked_until !== null && locked_until > transaction.now)
    throw consoleErrors.tooManyCodes(Math.ceil((Date.parse(locked_until) - Date.parse(transaction.now)) / 1_000));
  const guesses = before + 1;
  saveGuesses(transaction, personId, {
    failed_verification_count: guesses,
    locked_until: guesses < freeGuesses ? null : addSeconds(transaction.now, delayOf(guesses)),
  });
  return guesses;
}

const delayOf = (guesses: number): number =>
  Math.min(delayMaxSeconds, delayFirstSeconds * 2 ** (guesses - freeGuesses));

/** Whether the owner is told of this many wrong codes in a row. */
export const isReported = (guesses: number): boolean => guesses === freeGuesses || guesses === guessesMax;

/** Forgets the wrong codes after a right code, of the app or for recovery. */
export const forgetGuesses = (transaction: Transaction, personId: string): void =>
  saveGuesses(transaction, personId, { failed_verification_count: 0, locked_until: null });

/** Takes a counted code back that was not tried. */
export async function retractGuess(transaction: Transaction, personId: string): Promise<void> {
  const row = await findGuesses(transaction, personId);
  if (!row) return;
  const guesses = Math.max(0, row.failed_verification_count - 1);
  saveGuesses(transaction, personId, { failed_verification_count: guesses, locked_until: null });
}
