// What the rest of the service knows of a database. Which engine stands behind it, no rule learns.
import type { Sql, Value } from "./sql.ts";

/** One unit of work: all of it becomes durable, or nothing. */
export interface Transaction {
  /** The moment of this transaction by the database's clock: UTC, ISO 8601 with milliseconds. Never goes back. */
  readonly now: string;
  /** A new UUID version 7. Ids of one process never go back. */
  newId(): string;
  /** All rows. The caller names the columns that its statement selects; nothing checks them again. */
  all<Row>(query: Sql): Promise<Row[]>;
  /** The first row, undefined when there is none. */
  first<Row>(query: Sql): Promise<Row | undefined>;
  /** Number of rows changed. */
  run(query: Sql): Promise<number>;
  /** Adds rows that all have the same columns. Table and columns are names in the code, never input. */
  insert(table: string, rows: readonly Readonly<Record<string, Value>>[]): Promise<void>;
  /** Runs `work`; when it throws, everything that it wrote is undone and the error goes on. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

export interface Database {
  /**
   * Runs `work` in a transaction and resolves when its commit is durable. What `work` throws rolls it back and is thrown on.
   * @throws DatabaseUnavailable when the engine can not serve; nothing was written then.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Like `transaction`, for work that only reads: it takes no lock that writers of other processes wait for. */
  read<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Resolves when the database answers. @throws DatabaseUnavailable */
  ping(): Promise<void>;
  /** Finishes what waits, then closes. */
  close(): Promise<void>;
}

/** The engine can not serve now: locked, full, gone. The work may be tried again later. */
export class DatabaseUnavailable extends Error {
  override name = "DatabaseUnavailable";
}

/** The database can not be used at all: no such file, not writable, damaged, or of a newer version. Said at the start. */
export class DatabaseUnusable extends Error {
  override name = "DatabaseUnusable";
}

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** A clock that can be told of a later moment, from which it goes on. */
export type SteadyClock = Clock & { readonly catchUp: (milliseconds: number) => void };

/**
 * The time of day, but never going back nor standing still: while the computer's clock is behind what was told before, time goes on at
 * its usual pace from there. A rate limit that waits for a minute to pass must not wait for a clock that was set back by an hour.
 * Tests pass a time of day and a stopwatch of their own.
 */
export function steadyClock(wall: Clock = Date.now, stopwatch: Clock = () => performance.now()): SteadyClock {
  let told = wall();
  let toldAt = stopwatch();
  const tell = () => {
    const at = stopwatch();
    told = Math.max(wall(), told + (at - toldAt));
    toldAt = at;
    return Math.floor(told);
  };
  const catchUp = (milliseconds: number) => {
    told = Math.max(tell(), milliseconds);
  };
  return Object.assign(tell, { catchUp });
}
