// The interface of the database. No rule depends on which engine is behind it.
import type { Owner, QueueState } from "../fair-queue.ts";
import type { CreateGroup, GroupedCall, GroupedCalls, OpeningRow } from "./call-group.ts";
import type { LastWork } from "./last-work.ts";
import type { LongRead, LongReadOptions, LongResult } from "./long-read.ts";
import type { Sql, Value } from "./sql.ts";

/** One unit of work: all of it becomes durable, or none. */
export interface Transaction {
  /** The time of this transaction by the database's clock: UTC, ISO 8601 with milliseconds. It never goes back. */
  readonly now: string;
  /** A new UUID version 7. The ids of one process only increase. */
  newId(): string;
  /** All rows. `Row` names the columns that the statement selects; nothing checks them at run time. */
  all<Row>(query: Sql): Promise<Row[]>;
  /** The first row, undefined when there is none. */
  first<Row>(query: Sql): Promise<Row | undefined>;
  /** @returns the number of rows changed */
  run(query: Sql): Promise<number>;
  /** Like `run` without waiting: it is sent with the next statement, and its failure fails that statement or the commit. */
  send(query: Sql): void;
  /**
   * Locks rows until the end of the transaction; sent with the next statement. The query selects them from one table in the order of
   * their ids, which is the order in which all transactions lock. SQLite has one writer, so it locks nothing.
   */
  lock(purpose: LockPurpose, query: Sql): void;
  /** The same for rows that may appear between this statement and the one that reads them: it tells which ones it locked. */
  lockVisible(purpose: LockPurpose, query: Sql): Locked;
  /** Inserts rows that have the same columns, without waiting, like `send`. Table and columns are names in the code, never input. */
  insert(table: string, rows: readonly Readonly<Record<string, Value>>[]): void;
  /**
   * Updates rows that have the same columns, each found by its key columns, without waiting, like `send`. Table and columns are names in the
   * code, never input.
   */
  update(table: string, keyColumns: readonly string[], rows: readonly Readonly<Record<string, Value>>[]): void;
  /**
   * Adds rows of numbers to those with the same key columns, or inserts them, without waiting, like `send`. No two rows have the same key.
   * Table and columns are names in the code, never input.
   */
  add(table: string, keyColumns: readonly string[], rows: readonly Readonly<Record<string, Value>>[]): void;
  /** Runs `work`. When it throws, its writes are undone and the error is thrown on. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Hands an item over to work that runs at the end of the transaction, once with all its items. An item of a savepoint that is undone is
   * dropped. Calls in groups have no such end.
   */
  atEnd<Item>(work: LastWork<Item>, item: Item): void;
}

/** The IDs of the locked rows; undefined where nobody else can change any row. */
export type Locked = Promise<ReadonlySet<string>> | undefined;

/**
 * What a row is locked for. `reference`: nobody may delete it. `change`: nobody else may change it either. `delete`: nothing new may
 * refer to it either.
 */
export type LockPurpose = "reference" | "change" | "delete";

/** The first statements of a transaction, sent together with its `begin`. */
export interface Opening<Row> {
  /** Locks these rows for change. */
  readonly lock?: Sql;
  /** Names the rows: of the transactions that would wait for the same ones, most wait without a connection. */
  readonly queue?: string;
  /**
   * Reads one row once the lock is held, and the time with it: `moment(seconds)` is the transaction's `now` plus that many seconds, as
   * SQL. The row must have a column `now`, which is that time or a later one.
   */
  readonly read: (moment: Moment) => Sql;
  /** Only a type: what `read` selects. */
  readonly row?: Row;
}

export type Moment = (offsetSeconds: number) => Sql;

export type Work<T, Row = undefined> = (transaction: Transaction, opened: Row | undefined) => Promise<T>;

export interface Database {
  /**
   * Runs `work` in a transaction and resolves when its commit is durable. When `work` throws, it is rolled back and the error thrown on.
   * The engine may ask to run `work` again, so it must have no effects outside the transaction.
   * @param isDone finds out whether the commit took place; runs in its own transaction when the engine has not told
   * @throws DatabaseUnavailable when the engine cannot serve; nothing was written then, unless it is an OutcomeUnknown
   */
  transaction<T, Row = undefined>(work: Work<T, Row>, opening?: Opening<Row>, isDone?: Work<boolean>): Promise<T>;
  /**
   * Prepares to run calls in groups, each in one transaction.
   * @throws DatabaseUnavailable as `transaction` does
   */
  grouped<Call extends GroupedCall, Outcome, Row extends OpeningRow>(
    create: CreateGroup<Call, Outcome, Row>,
  ): GroupedCalls<Call, Outcome>;
  /** Like `transaction`, for work that only reads: it takes no lock that writers wait for. */
  read<T, Row = undefined>(work: Work<T, Row>, opening?: Omit<Opening<Row>, "lock">): Promise<T>;
  /**
   * Like `read`, for work that may take long: other transactions go on meanwhile, and other work of this process gets its turn between the
   * statements. It sees everything that was committed before it began.
   * @param milliseconds how long it may take; 0 without a limit
   * @param owner whose turn it takes: few run at a time
   * @throws DatabaseTooSlow when it takes longer
   */
  aside<T>(work: Work<T>, milliseconds: number, owner?: Owner): Promise<T>;
  /** Like `aside`, in the thread for long reads if there is one: the `data` that it found is a JsonText then. */
  readLong<Input, Result extends LongResult>(
    read: LongRead<Input, Result>,
    input: Input,
    options: LongReadOptions,
  ): Promise<Result>;
  /**
   * Resolves when the database can be written: it says so, and has committed within the last seconds or does it now, without changing a
   * row. @throws DatabaseUnavailable
   */
  ping(): Promise<void>;
  /** The connections in use now; undefined for the embedded engine. */
  pool(): Pool | undefined;
  /** What waits in this process for its turn. */
  queues(): readonly QueueState[];
  /** Finishes queued transactions, then closes. */
  close(): Promise<void>;
}

/** Receives what the engine does. It must be fast and must not throw. */
export interface DatabaseObserver {
  /**
   * A commit that wrote is durable.
   * @param transactions how many shared it, each call of a group counted
   * @param milliseconds of the commit alone, including its wait for the disk or for replicas
   */
  committed(transactions: number, milliseconds: number): void;
  /** A transaction runs again because the engine asked for it. Called once for each retry. */
  retried(): void;
  /** A transaction, read or ping ended in DatabaseUnavailable, but not because too many wait. */
  unavailable(): void;
}

/** The connections of this process to a database server. */
export interface Pool {
  readonly inUse: number;
  /** Transactions that wait for a connection. */
  readonly waiting: number;
  readonly max: number;
}

/** The engine cannot serve now: locked, full, gone. The work may be tried again later. */
export class DatabaseUnavailable extends Error {
  override name = "DatabaseUnavailable";
}

/** Too many wait already, so nothing was begun. */
export class Overloaded extends DatabaseUnavailable {
  override name = "Overloaded";
}

/** A read took longer than it may. */
export class DatabaseTooSlow extends DatabaseUnavailable {
  override name = "DatabaseTooSlow";
}

/** The commit got no response, or one that leaves its outcome open: only the database knows whether it took place. */
export class OutcomeUnknown extends DatabaseUnavailable {
  override name = "OutcomeUnknown";
  constructor(
    /** What the work returned, valid if the commit took place. */
    readonly value: unknown,
    options: ErrorOptions,
  ) {
    super("the database failed during the commit; the commit may have succeeded", options);
  }
}

/** The database cannot be used at all: no such file, not writable, damaged, or of a newer version. Thrown at the start. */
export class DatabaseUnusable extends Error {
  override name = "DatabaseUnusable";
}

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** A clock that can be moved forward. */
export type SteadyClock = Clock & { readonly catchUp: (milliseconds: number) => void };

/**
 * The time of day that never goes back: when the computer's clock is set back, time goes on from the last reading at its usual pace.
 * A rate limit that waits for a minute to pass must not wait for a clock that was set back by an hour.
 */
export function steadyClock(wall: Clock = Date.now, stopwatch: Clock = () => performance.now()): SteadyClock {
  let time = wall();
  let readAt = stopwatch();
  const read = () => {
    const at = stopwatch();
    time = Math.max(wall(), time + (at - readAt));
    readAt = at;
    return Math.floor(time);
  };
  const catchUp = (milliseconds: number) => {
    time = Math.max(read(), milliseconds);
  };
  return Object.assign(read, { catchUp });
}
