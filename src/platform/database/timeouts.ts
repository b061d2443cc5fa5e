// How long a database server may keep those waiting who use it.

/** How long PostgreSQL may keep somebody waiting, in milliseconds; 0 is without an end. */
export interface Patience {
  readonly connection: number;
  readonly lock: number;
  readonly statement: number;
  /** For a transaction with all its repetitions. Longer than a statement: it is for a server that does not answer at all. */
  readonly transaction: number;
}

/** Who calls waits for seconds, not minutes. */
export const patienceOfCalls: Patience = { connection: 2_000, lock: 3_000, statement: 5_000, transaction: 7_000 };

/** An operator's command may read everything there is. */
export const patienceOfOperators: Patience = { connection: 10_000, lock: 60_000, statement: 0, transaction: 0 };
