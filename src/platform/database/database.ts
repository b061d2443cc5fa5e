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
  /** Like `run`, but nobody waits for it: it goes out with the next statement, and its failure fails that one, or the commit. */
  send(query: Sql): void;
  /**
   * Holds rows until the end of the transaction; goes out with the next statement. The query selects them from one table, in the
   * order of their ids, which is the order in which everybody locks. Where there is one writer, there is nothing to do.
   */
  lock(purpose: LockPurpose, query: Sql): void;
  /** Adds rows that all have the same columns, without waiting, like `send`. Table and columns are names in the code, never input. */
  insert(table: string, rows: readonly Readonly<Record<string, Value>>[]): void;
  /** Runs `work`; when it throws, everything that it wrote is undone and the error goes on. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * What a row is locked for: `keep`, so that nobody deletes it; `change`, so that nobody else changes it either; `delete`, so that
 * nothing new may refer to it either.
 */
export type LockPurpose = "keep" | "change" | "delete";

/** The first statements of a transaction, sent together with its begin. */
export interface Opening<Row> {
  /** Locks these rows for change. */
  readonly lock?: Sql;
  /**
   * Reads one row once the lock is held, and with it the time: `moment(seconds)` is the transaction's `now`, or so many seconds
   * away from it, as SQL. The row must have `now` as a column.
   */
  readonly look: (moment: Moment) => Sql;
  /** Only a type: what `look` selects. */
  readonly row?: Row;
}

export type Moment = (offsetSeconds: number) => Sql;

export type Work<T, Row = undefined> = (transaction: Transaction, opened: Row | undefined) => Promise<T>;

export interface Database {
  /**
   * Runs `work` in a transaction and resolves when its commit is durable. What `work` throws rolls it back and is thrown on.
   * `work` is run again when the engine asks for it, so it must leave nothing behind elsewhere.
   * @param isDone asked in a transaction of its own when the connection broke while the commit was under way: whether it took place
   * @throws DatabaseUnavailable when the engine can not serve; nothing was written then, except where it is an OutcomeUnknown
   */
  transaction<T, Row = undefined>(work: Work<T, Row>, opening?: Opening<Row>, isDone?: Work<boolean>): Promise<T>;
  /** Like `transaction`, for work that only reads: it takes no lock that writers of other processes wait for. */
  read<T, Row = undefined>(work: Work<T, Row>, opening?: Omit<Opening<Row>, "lock">): Promise<T>;
  /** Resolves when the database answers. @throws DatabaseUnavailable */
  ping(): Promise<void>;
  /** The connections as they stand now; undefined where the engine runs inside the process. */
  pool(): Pool | undefined;
  /** Finishes what waits, then closes. */
  close(): Promise<void>;
}

/** Is told what the engine does, where it does it. It must be quick, and must not throw. Engines do without one just as well. */
export interface DatabaseObserver {
  /**
   * A commit that wrote is durable. It carried so many transactions, which is always one where each has a commit of its own; the
   * time is that of the commit alone, with its wait for the disk or for replicas.
   */
  committed(transactions: number, milliseconds: number): void;
  /** A transaction is run again from its beginning, because the engine asked for it: once for each new try. */
  retried(): void;
  /** One transaction, read or ping ends in DatabaseUnavailable. */
  unavailable(): void;
}

/** The connections of this process to an engine elsewhere. */
export interface Pool {
  readonly inUse: number;
  /** Transactions that wait for a connection. */
  readonly waiting: number;
  readonly max: number;
}

/** The engine can not serve now: locked, full, gone. The work may be tried again later. */
export class DatabaseUnavailable extends Error {
  override name = "DatabaseUnavailable";
}

/** The connection broke after the commit was sent and before its answer: nobody but the database knows whether it took place. */
export class OutcomeUnknown extends DatabaseUnavailable {
  override name = "OutcomeUnknown";
  constructor(
    /** What the work returned, which is right if the commit took place. */
    readonly value: unknown,
    options: ErrorOptions,
  ) {
    super("the connection broke during the commit, which may have taken place", options);
  }
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
