// How long an operation may wait for a database server.

/** In milliseconds; 0 means no limit. */
export interface Timeouts {
  readonly connection: number;
  readonly lock: number;
  readonly statement: number;
  /** For a transaction with all its retries. Longer than `statement`: it catches a server that does not respond at all. */
  readonly transaction: number;
}

/** For requests, whose clients wait for seconds, not minutes. */
export const callTimeouts: Timeouts = { connection: 2_000, lock: 3_000, statement: 5_000, transaction: 7_000 };

/** For operator commands, which may read everything there is. */
export const commandTimeouts: Timeouts = { connection: 10_000, lock: 60_000, statement: 0, transaction: 0 };

/** For exports: between two statements, a file is written, and at the beginning, the request is charged. */
export const exportTimeouts: Timeouts = { connection: 10_000, lock: 3_000, statement: 60_000, transaction: 0 };
