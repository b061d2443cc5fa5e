// The embedded engine: SQLite in this process, with one writer and group commit. Calls that arrive during a commit share the next
// transaction, each in a savepoint of its own, and are answered when that commit is on the disk.
import { Database as Connection, constants, SQLiteError, type Statement } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { noOwner, type Owner, type QueueState } from "../fair-queue.ts";
import { Turns } from "../turns.ts";
import type { CallGroup, CreateGroup, GroupedCall, GroupedCalls, OpeningRow } from "./call-group.ts";
import {
  type Clock,
  type Database,
  type DatabaseObserver,
  DatabaseUnavailable,
  DatabaseUnusable,
  type Opening,
  OutcomeUnknown,
  Overloaded,
  type Work,
} from "./database.ts";
import type { LongRead, LongReadOptions, LongResult } from "./long-read.ts";
import { migrate, type OnStep } from "./migrate.ts";
import type { ColumnTypes } from "./migration.ts";
import type { ReadingThread } from "./reading-thread.ts";
import { sql } from "./sql.ts";
import { isRefusedCommit } from "./sqlite-failures.ts";
import { SqliteReaders } from "./sqlite-readers.ts";
import { SqliteTransaction } from "./sqlite-transaction.ts";
import { type WaitingCall, WaitingCalls } from "./waiting-calls.ts";
import { WriteProof } from "./write-proof.ts";

/** What a migration has to know of this engine. */
export const columnTypes: ColumnTypes = {
  uuid: "text",
  timestamp: "text",
  boolean: "integer",
  bigint: "integer",
  orderedText: "text",
  tableEnd: "strict",
  clusteredTableEnd: "strict, without rowid",
  isShared: false,
};

/** A database up to this size is checked at the start. For a larger one that takes seconds; `doctor` does it. */
const checkedAtStartBytesMax = 64 * 1024 * 1024;
/**
 * This much of the file is read through a memory map instead of being copied page by page; SQLite allows at most 2 GiB. A read error of
 * the disk then ends the process instead of failing one call: nothing is lost either way, and a supervisor restarts it.
 */
const mappedBytesMax = 0x7fff0000;
/** A larger log is emptied as soon as that is possible: after a crash, the next start reads it, and the next commit moves it. */
const logBytesMax = 64 * 1024 * 1024;
/** Long reads are held back for this long at most to empty the log. */
const readPauseMilliseconds = 2_000;
const lockWaitMilliseconds = 2_000;
const lockRetryMilliseconds = 5;
/** A group of long calls that has gone on for so long, or for as long as a commit takes, ends: short calls wait for it. */
const groupMilliseconds = 10;

export interface SqliteOptions {
  /** Refuses to create the file. */
  readonly mustExist?: boolean;
  readonly observer?: DatabaseObserver | undefined;
  /** Leaves the write-ahead log as it is, for an inspection. */
  readonly leavesLog?: boolean;
  /** Of the process, which long reads take. */
  readonly turns?: Turns | undefined;
  /** Does long reads. */
  readonly thread?: ReadingThread | undefined;
  /** Called before and after a step that may take long. */
  readonly onStep?: OnStep | undefined;
  /** Called when the process has to end: the disk failed during a commit, and only the next start shows whether it took place. */
  readonly onFailure?: ((failure: DatabaseUnusable) => void) | undefined;
}

/** Opens the file, brings its schema up to date and checks what durability rests on. @throws DatabaseUnusable */
export async function openSqlite(path: string, clock: Clock, options: SqliteOptions = {}): Promise<Database> {
  if (options.mustExist) requireDatabaseFile(path);
  let connection: Connection | undefined;
  try {
    const bytes = logBytesOf(path);
    const onRecovery = bytes > logBytesMax ? options.onStep : undefined;
    onRecovery?.("recovering SQLite's write-ahead log", { bytes });
    const startedAt = performance.now();
    connection = connect(path);
    onRecovery?.("recovered", { milliseconds: Math.round(performance.now() - startedAt) });
    const database = new SqliteDatabase(connection, path, clock, options);
    await migrate(database, columnTypes, options.onStep);
    return database;
  } catch (cause) {
    connection?.close();
    if (cause instanceof DatabaseUnusable) throw new DatabaseUnusable(`${path}: ${cause.message}`);
    if (cause instanceof SQLiteError || cause instanceof DatabaseUnavailable)
      throw new DatabaseUnusable(`cannot use the database ${path}: ${cause.message}`, { cause });
    throw cause;
  }
}

/**
 * Opens the file for reading only: nothing is created, migrated or checked.
 * @param isImmutable no process has the file open, so reading it creates no files next to it
 * @throws DatabaseUnusable
 */
export function inspectSqlite(path: string, isImmutable: boolean): Database {
  if (!existsSync(path)) throw new DatabaseUnusable(`no database at ${resolve(path)}`);
  try {
    const connection = isImmutable
      ? new Connection(`${pathToFileURL(path)}?immutable=1`, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
      : new Connection(path, { readonly: true });
    connection.run("pragma cache_size = -32768");
    return new SqliteDatabase(connection, path, Date.now, { leavesLog: true });
  } catch (cause) {
    if (!(cause instanceof SQLiteError)) throw cause;
    throw new DatabaseUnusable(`cannot read the database ${path}: ${cause.message}`, { cause });
  }
}

/** Opens a file that is in use, for `aside` only. */
export function openSqliteForReading(path: string, clock: Clock): Database {
  return new SqliteDatabase(new Connection(path, { readonly: true }), path, clock, { leavesLog: true });
}

/** @throws DatabaseUnusable when the instance was never started */
export function requireDatabaseFile(path: string): void {
  if (existsSync(path)) return;
  throw new DatabaseUnusable(`no database at ${resolve(path)} yet. Start the service first, or use --data DIR`);
}

const logBytesOf = (path: string): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

function connect(path: string): Connection {
  const connection = new Connection(path, { create: true, readwrite: true, strict: true });
  connection.run(`pragma busy_timeout = ${lockWaitMilliseconds}`);
  connection.run("pragma journal_mode = wal");
  connection.run("pragma synchronous = full");
  connection.run("pragma foreign_keys = on");
  // What is deleted is overwritten where its page is written anyway: otherwise backups would contain the links of emails sent earlier.
  connection.run("pragma secure_delete = fast");
  connection.run("pragma cache_size = -32768");
  connection.run(`pragma mmap_size = ${mappedBytesMax}`);
  // The log grows while a backup copies; afterwards the space is given back.
  connection.run(`pragma journal_size_limit = ${logBytesMax}`);
  const read = (pragma: string): unknown => Object.values(connection.query(`pragma ${pragma}`).get() ?? {})[0];
  for (const [pragma, wanted] of [
    ["journal_mode", "wal"],
    ["synchronous", 2],
    ["foreign_keys", 1],
  ] as const)
    if (read(pragma) !== wanted)
      throw new DatabaseUnusable(`SQLite does not support ${pragma} = ${wanted}, which durable commits require`);
  if (statSync(path).size <= checkedAtStartBytesMax) {
    const finding = read("quick_check(1)");
    if (finding !== "ok") throw new DatabaseUnusable(`the database is damaged: ${finding}`);
  }
  return connection;
}

/** Something that runs in the transaction of a group. */
interface Queued extends WaitingCall {
  readonly isReading: boolean;
  /** Runs it. @returns the value with which it is resolved */
  readonly run: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

const runDirectly = <T>(work: () => Promise<T>): Promise<T> => work();

/** Work that is no call: of jobs, commands, and the console. */
const unknownWork: WaitingCall = { owner: noOwner, isShort: false, weight: 1 };

class SqliteDatabase implements Database {
  readonly #connection: Connection;
  readonly #path: string;
  readonly #inode: number;
  readonly #transaction: SqliteTransaction;
  readonly #observer: DatabaseObserver | undefined;
  readonly #onFailure: SqliteOptions["onFailure"];
  readonly #groups: Pick<CallGroup<GroupedCall, unknown, OpeningRow>, "flush" | "clear" | "undo">[] = [];
  readonly #dataVersion: Statement<{ data_version: number }, []>;
  #knownVersion: number | undefined;
  readonly #readers: SqliteReaders;
  readonly #turns: Turns;
  readonly #thread: ReadingThread | undefined;
  readonly #clock: Clock;
  readonly #waiting = new WaitingCalls<Queued>();
  readonly #proof = new WriteProof();
  #lastCommitMilliseconds = 0;
  #running: Promise<void> | undefined;
  readonly #betweenGroups: (() => void)[] = [];
  #logEmptiedAtBytes: number;
  #isEmptyingLog = false;
  #isClosed = false;
  #hasFailed = false;

  constructor(
    connection: Connection,
    path: string,
    clock: Clock,
    { observer, onFailure, leavesLog, turns = new Turns(() => true), thread }: SqliteOptions,
  ) {
    this.#connection = connection;
    this.#path = path;
    this.#turns = turns;
    this.#thread = thread;
    this.#clock = clock;
    this.#readers = new SqliteReaders(path, clock, turns);
    this.#observer = observer;
    this.#onFailure = onFailure;
    this.#logEmptiedAtBytes = leavesLog ? Number.POSITIVE_INFINITY : logBytesMax;
    this.#inode = statSync(path).ino;
    this.#transaction = new SqliteTransaction(connection, clock);
    this.#dataVersion = connection.prepare("pragma data_version");
    // From here on, waiting for a lock does not block the event loop: see #begin.
    connection.run("pragma busy_timeout = 0");
  }

  transaction<T, Row = undefined>(work: Work<T, Row>, opening?: Opening<Row>): Promise<T> {
    return this.#enqueue(unknownWork, false, () => this.#runWork(work, opening, false));
  }

  read<T, Row = undefined>(work: Work<T, Row>, opening?: Opening<Row>): Promise<T> {
    return this.#enqueue(unknownWork, true, () => this.#runWork(work, opening, true));
  }

  grouped<Call extends GroupedCall, Outcome, Row extends OpeningRow>(
    create: CreateGroup<Call, Outcome, Row>,
  ): GroupedCalls<Call, Outcome> {
    const group = create({ isLasting: true, isExclusive: true });
    this.#groups.push(group);
    return {
      run: (call) => this.#enqueue(call, false, () => this.#runCall(group, call)),
      look: (call) => this.#enqueue(call, true, () => this.#runCall(group, call)),
    };
  }

  aside<T>(work: Work<T>, milliseconds: number, owner = noOwner): Promise<T> {
    return this.#runAside(work, milliseconds, owner);
  }

  readLong<Input, Result extends LongResult>(
    { name, read }: LongRead<Input, Result>,
    input: Input,
    options: LongReadOptions,
  ): Promise<Result> {
    const { milliseconds, owner, reserve } = options;
    const elsewhere = async () => this.#thread?.read<Result>({ milliseconds, owner, name, input, now: this.#clock() });
    return this.#runAside((transaction) => read(transaction, input, reserve), milliseconds, owner, elsewhere);
  }

  async #runAside<T>(
    work: Work<T>,
    milliseconds: number,
    owner: Owner,
    elsewhere?: () => Promise<T | undefined>,
  ): Promise<T> {
    if (this.#isClosed) throw new DatabaseUnavailable("the database is closed");
    try {
      this.#requireUsable();
      return await this.#readers.run(work, milliseconds, owner, elsewhere);
    } catch (error) {
      if (error instanceof DatabaseUnavailable && !(error instanceof Overloaded)) this.#observer?.unavailable();
      throw error;
    }
  }

  async ping(): Promise<void> {
    try {
      this.#requireUsable();
      this.#connection.query("select count(*) from schema_migrations").get();
    } catch (cause) {
      this.#observer?.unavailable();
      throw cause instanceof DatabaseUnavailable
        ? cause
        : new DatabaseUnavailable("SQLite does not respond", { cause });
    }
    // Writes the first page of the file as it is.
    if (!this.#proof.holds)
      await this.transaction(async (transaction) => transaction.send(sql`pragma user_version = 0`));
  }

  pool(): undefined {
    // The only connection is the one in this process.
  }

  queues(): readonly QueueState[] {
    return [...this.#waiting.states, this.#readers.state, this.#turns.state];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#running) await this.#running;
    await this.#readers.close();
    // The last connection that closes empties the log, and the thread's only reads.
    await this.#thread?.close();
    // Closing would write to the database from the log.
    if (this.#hasFailed) return;
    this.#transaction.finalize();
    this.#dataVersion.finalize();
    this.#connection.close();
  }

  #enqueue<T>({ owner, isShort, weight }: WaitingCall, isReading: boolean, run: () => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new DatabaseUnavailable("the database is closed"));
    return new Promise<T>((resolve, reject) => {
      // Each entry resolves with the value of its own run.
      const queued = { owner, isShort, weight, isReading, run, resolve: resolve as Queued["resolve"], reject };
      if (!this.#waiting.push(queued)) reject(new Overloaded("too many requests are waiting for SQLite"));
      this.#running ??= this.#runGroups();
    });
  }

  async #runGroups(): Promise<void> {
    while (this.#waiting.size > 0) {
      // All calls of this turn of the event loop join the group; a lone call starts right after it.
      await new Promise(setImmediate);
      const group = this.#waiting.take(this.#lastCommitMilliseconds, this.#turns.mayOthersGo);
      if (group.length === 0) continue;
      await this.#runGroup(group);
      if (group.some(({ isShort }) => !isShort)) this.#turns.rest();
      for (const work of this.#betweenGroups.splice(0)) work();
      if (this.#isLogLarge()) void this.#emptyLog();
    }
    this.#running = undefined;
  }

  #isLogLarge(): boolean {
    if (this.#isEmptyingLog || this.#hasFailed) return false;
    return logBytesOf(this.#path) > this.#logEmptiedAtBytes;
  }

  /**
   * SQLite starts its log again from the beginning only in a moment without a read, which long reads that overlap never leave it. So they
   * pause once; behind a read that goes on for longer, such as a backup's, the log grows until the next attempt.
   */
  async #emptyLog(): Promise<void> {
    this.#isEmptyingLog = true;
    const isEmptied = await this.#readers.pause(readPauseMilliseconds, () => this.#whenFree(() => this.#truncateLog()));
    // Reads of other processes, such as an export, keep it as it is too.
    const isSmall = isEmptied && logBytesOf(this.#path) <= logBytesMax;
    this.#logEmptiedAtBytes = isSmall ? logBytesMax : this.#logEmptiedAtBytes + logBytesMax;
    this.#isEmptyingLog = false;
  }

  /** Runs something while no transaction is open. */
  #whenFree(work: () => void): Promise<void> {
    return new Promise((resolve) => {
      const run = () => {
        work();
        resolve();
      };
      if (this.#running) this.#betweenGroups.push(run);
      else run();
    });
  }

  #truncateLog(): void {
    if (this.#isClosed || this.#hasFailed) return;
    try {
      this.#connection.run("pragma wal_checkpoint(truncate)");
    } catch {
      // Nothing is lost: what could not be moved is still in the log, where SQLite looks first.
    }
  }

  async #runGroup(taken: readonly Queued[]): Promise<void> {
    let group = taken;
    const answers: (() => void)[] = [];
    try {
      this.#requireUsable();
      await this.#begin(group.every((queued) => queued.isReading) ? "begin deferred" : "begin immediate");
      this.#transaction.refreshNow();
      this.#clearIfChanged();
      const until = performance.now() + Math.max(groupMilliseconds, this.#lastCommitMilliseconds);
      for (const [index, queued] of taken.entries()) {
        if (!queued.isShort && index > 0 && performance.now() > until) {
          group = taken.slice(0, index);
          this.#waiting.putBack(taken.slice(index));
          break;
        }
        try {
          const value = await queued.run();
          answers.push(() => queued.resolve(value));
        } catch (error) {
          if (error instanceof DatabaseUnavailable) throw error;
          answers.push(() => queued.reject(error));
        }
      }
      await this.#flushGroups();
      this.#commit(group);
    } catch (cause) {
      this.#rollback();
      this.#proof.failed();
      for (const group of this.#groups) group.undo();
      const failure =
        cause instanceof DatabaseUnavailable ? cause : new DatabaseUnavailable("SQLite could not commit", { cause });
      for (const queued of group) {
        this.#observer?.unavailable();
        queued.reject(failure);
      }
      return;
    }
    for (const answer of answers) answer();
  }

  /** Work that may read or write anything: what the groups know is written before, and forgotten after it has written. */
  async #runWork<T, Row>(work: Work<T, Row>, opening: Opening<Row> | undefined, isReading: boolean): Promise<T> {
    const transaction = this.#transaction;
    await this.#flushGroups();
    try {
      return await transaction.savepoint(async () => {
        const read = opening?.read((seconds) => transaction.moment(seconds));
        const value = await work(transaction, read && (await transaction.first<Row>(read)));
        await transaction.end();
        return value;
      });
    } finally {
      if (!isReading) this.#clearGroups();
    }
  }

  async #runCall<Call extends GroupedCall, Outcome, Row extends OpeningRow>(
    group: CallGroup<Call, Outcome, Row>,
    call: Call,
  ): Promise<Outcome> {
    const transaction = this.#transaction;
    if (!group.isLoaded(call)) {
      const rows = await transaction.all<Row>(group.opening([call]).read((seconds) => transaction.moment(seconds)));
      await group.load(transaction, rows);
    }
    // What only reads has nothing to take back.
    return group.run(transaction, call, call.isReading ? runDirectly : (work) => transaction.savepoint(work));
  }

  /** What cannot be written belongs to calls that have run already, so it fails the whole group. @throws DatabaseUnavailable */
  async #flushGroups(): Promise<void> {
    try {
      for (const group of this.#groups) await group.flush(this.#transaction);
    } catch (cause) {
      if (cause instanceof DatabaseUnavailable) throw cause;
      throw new DatabaseUnavailable("SQLite could not write the rows that a group of requests shares", { cause });
    }
  }

  #clearGroups(): void {
    for (const group of this.#groups) group.clear();
  }

  /** SQLite counts the commits of other connections, such as those of a command. */
  #clearIfChanged(): void {
    const version = this.#dataVersion.get()?.data_version;
    if (version !== this.#knownVersion) this.#clearGroups();
    this.#knownVersion = version;
  }

  /** After a failure nothing may follow. A file that was deleted or replaced would still take writes, which would be lost. */
  #requireUsable(): void {
    if (this.#hasFailed) throw new DatabaseUnavailable("the disk failed, and the service is stopping");
    const inode = statSync(this.#path, { throwIfNoEntry: false })?.ino;
    if (inode !== this.#inode) throw new DatabaseUnavailable(`the database file ${this.#path} was removed or replaced`);
  }

  /** Another process, such as the command line, may hold the lock for a moment. */
  async #begin(statement: string): Promise<void> {
    const until = performance.now() + lockWaitMilliseconds;
    for (;;) {
      try {
        this.#connection.run(statement);
        return;
      } catch (error) {
        const isLocked = error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY");
        if (!isLocked || performance.now() >= until) throw error;
        await Bun.sleep(lockRetryMilliseconds);
      }
    }
  }

  #commit(group: readonly Queued[]): void {
    const startedAt = performance.now();
    try {
      this.#connection.run("commit");
    } catch (cause) {
      if (isRefusedCommit(cause)) throw cause;
      this.#hasFailed = true;
      const reason = cause instanceof Error ? cause.message : cause;
      const message = `the disk that holds ${resolve(this.#path)} failed during a commit (${reason}). Check the disk, then start the service: SQLite determines at startup whether the commit took place`;
      this.#onFailure?.(new DatabaseUnusable(message, { cause }));
      throw new OutcomeUnknown(undefined, { cause });
    }
    this.#lastCommitMilliseconds = performance.now() - startedAt;
    if (group.every((queued) => queued.isReading)) return;
    this.#proof.committed();
    this.#observer?.committed(group.length, this.#lastCommitMilliseconds);
  }

  #rollback(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.run("rollback");
    } catch {
      // The engine has failed already; what it could not roll back now, it rolls back when the database is opened again.
    }
  }
}
