// The engine for several nodes: PostgreSQL 15 to 18. Every transaction may be run again. No state is kept in a session, so that a pooler
// may sit in between.
import { type ReservedSQL, SQL } from "bun";
import { V7Generator } from "uuidv7";
import { noOwner, type Owner, type QueueState } from "../fair-queue.ts";
import { FairSlots, type Release } from "../fair-slots.ts";
import { KeyedSemaphore } from "../keyed-semaphore.ts";
import { openingLimits, queueLimits } from "../queue-limits.ts";
import { Turns } from "../turns.ts";
import { BoundedTransaction } from "./bounded-transaction.ts";
import type { CreateGroup, GroupedCall, GroupedCalls, OpeningRow } from "./call-group.ts";
import {
  type Clock,
  type Database,
  type DatabaseObserver,
  DatabaseUnavailable,
  DatabaseUnusable,
  type Opening,
  OutcomeUnknown,
  Overloaded,
  type Pool,
  type Transaction,
  type Work,
} from "./database.ts";
import type { LongRead, LongReadOptions, LongResult } from "./long-read.ts";
import { migrate, type OnStep, requireSchema } from "./migrate.ts";
import type { Dialect } from "./migration.ts";
import { failureOf, isDisconnection, TransactionLost } from "./postgres-failures.ts";
import { type Body, runInGroups } from "./postgres-groups.ts";
import { refuseForeignSessions } from "./postgres-sessions.ts";
import { type BeginStatements, PostgresTransaction } from "./postgres-transaction.ts";
import type { ReadingThread } from "./reading-thread.ts";
import { redactUrl } from "./redact-url.ts";
import { type Sql, sql } from "./sql.ts";
import { commandTimeouts, type Timeouts } from "./timeouts.ts";
import { WriteProof } from "./write-proof.ts";

/** What a migration has to know of this engine. */
export const dialect: Dialect = {
  uuid: "uuid",
  timestamp: "timestamptz",
  boolean: "boolean",
  bigint: "bigint",
  orderedText: 'text collate "C"',
  tableEnd: "",
  clusteredTableEnd: "",
  isShared: true,
  // Without any statistics, it would expect 0.5% of the rows.
  expectFrequent: (table, column) =>
    `alter table ${table} alter column ${column} set statistics 1, alter column ${column} set (n_distinct = 1)`,
  // Any number that all nodes share. The lock ends with the transaction.
  migrationLock: "select pg_advisory_xact_lock(7236528)",
};

export interface PostgresOptions {
  readonly connections: number;
  readonly timeouts: Timeouts;
  /** Replaces the database's clock in tests. */
  readonly clock?: Clock | undefined;
  /** Refuses a database without a schema. */
  readonly mustExist?: boolean;
  readonly observer?: DatabaseObserver | undefined;
  /** Of the process, which long reads take. */
  readonly turns?: Turns | undefined;
  /** Does long reads, with some of the connections. */
  readonly thread?: ReadingThread | undefined;
  /** Default: half of the connections. */
  readonly longReadsMax?: number;
  /** For what reads large tables page by page. */
  readonly readsPages?: boolean;
  /** Called before and after a step that may take long. */
  readonly onStep?: OnStep | undefined;
}

const idleSeconds = 60;
const lifetimeSeconds = 30 * 60;
const closeSeconds = 5;
/** Transactions at once that open with the same lock: one holds it, and one gets it as soon as it is free. */
const openingsMax = 2;
const repetitionsMax = 20;
const pauseMillisecondsMax = 100;
/** How long to look for a commit whose outcome the server has not told. */
const settleMilliseconds = 3_000;

/** Connects, brings the schema up to date and checks what durability rests on. @throws DatabaseUnusable */
export async function openPostgres(url: string, options: PostgresOptions): Promise<Database> {
  const { mustExist = false } = options;
  const pool = connect(url, options);
  try {
    await refuseForeignSessions((name, onclose) => connect(url, { ...options, connections: 1 }, name, onclose));
    await requireSafeSettings(pool);
    // Without the timeouts of calls: changing a large table may take long.
    const migrating = new PostgresDatabase(pool, { ...options, timeouts: commandTimeouts, observer: undefined });
    if (mustExist) await requireSchema(migrating);
    await migrate(migrating, dialect, options.onStep);
    return new PostgresDatabase(pool, options);
  } catch (cause) {
    await pool.close({ timeout: 0 });
    const place = `PostgreSQL at ${redactUrl(url)}`;
    if (cause instanceof DatabaseUnusable) throw new DatabaseUnusable(`${place}: ${cause.message}`);
    const failure = failureOf(cause);
    if (failure instanceof SQL.PostgresError || failure instanceof DatabaseUnavailable)
      throw new DatabaseUnusable(`cannot use ${place}: ${failure.message}`, { cause });
    throw cause;
  }
}

/** Opens the database for reading only: nothing is created, migrated or checked. Connects with the first read. */
export function inspectPostgres(url: string): Database {
  const options = { connections: 1, timeouts: commandTimeouts };
  return new PostgresDatabase(connect(url, options), options);
}

/** Opens a database that is in use, for `aside` only. Connects with the first read. */
export function openPostgresForReading(
  url: string,
  given: Pick<PostgresOptions, "connections" | "timeouts" | "clock" | "readsPages">,
): Database {
  const options = { ...given, longReadsMax: given.connections };
  return new PostgresDatabase(connect(url, options), options);
}

const connect = (
  url: string,
  { connections, timeouts }: Pick<PostgresOptions, "connections" | "timeouts">,
  name = "commonplace",
  onclose?: (error: Error | null) => void,
): SQL =>
  new SQL(url, {
    max: connections,
    idleTimeout: idleSeconds,
    maxLifetime: lifetimeSeconds,
    connectionTimeout: timeouts.connection / 1_000,
    connection: { application_name: name },
    onclose,
  });

/**
 * Statements are prepared, and a plan made while a table was nearly empty would still read all of it once it is large, until autovacuum
 * analyzes it. Every statement of a call has an index to use, and is too short to be worth compiling.
 */
const planning = ["set_config('enable_seqscan', 'off', true)", "set_config('jit', 'off', true)"];

/** Where it expects few rows behind a page, it would read and sort all of them for each page. */
const planningOfPages = "set_config('enable_bitmapscan', 'off', true)";

/** Checks the settings that durability and the encoding of texts depend on. @throws DatabaseUnusable */
async function requireSafeSettings(pool: SQL): Promise<void> {
  const [row] = await pool`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
      current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
      current_setting('synchronous_commit') as synchronous_commit`;
  if (row.version < 150_000) throw new DatabaseUnusable("PostgreSQL 15 or newer is required");
  if (row.encoding !== "UTF8") throw new DatabaseUnusable(`its encoding is ${row.encoding}, but must be UTF8`);
  for (const setting of ["fsync", "full_page_writes", "synchronous_commit"])
    if (row[setting] === "off") throw new DatabaseUnusable(`${setting} is off, but durable commits require it`);
}

/** How a transaction runs. */
interface RunOptions<T> {
  readonly owner?: Owner;
  readonly isDone?: Work<boolean> | undefined;
  /** Sends the last statements, which share the round trip of the commit. */
  readonly flush?: Body<void>;
  /** By `performance.now()`. */
  readonly until?: number;
  readonly countCarried?: (value: T) => number;
}

class PostgresDatabase implements Database {
  readonly #pool: SQL;
  readonly #options: PostgresOptions;
  readonly #timeouts: Timeouts;
  readonly #thread: ReadingThread | undefined;
  readonly #ids = new V7Generator();
  readonly #writing: BeginStatements;
  readonly #reading: BeginStatements;
  readonly #openings = new KeyedSemaphore(openingsMax);
  readonly #turns: Turns;
  readonly #connections: FairSlots;
  readonly #longReads: FairSlots;
  readonly #proof = new WriteProof();
  readonly #callStates: (() => QueueState)[] = [];
  #inUse = 0;

  constructor(pool: SQL, options: PostgresOptions) {
    const { thread, turns = new Turns(() => true) } = options;
    const connections = options.connections - (thread?.settings.connections ?? 0);
    const longReadsMax = options.longReadsMax ?? Math.ceil(connections / 2);
    this.#pool = pool;
    this.#options = options;
    this.#timeouts = options.timeouts;
    this.#turns = turns;
    this.#thread = thread;
    this.#connections = new FairSlots("connections", connections, queueLimits.connections);
    // The other half is left to what is quick.
    this.#longReads = new FairSlots("searches", longReadsMax, queueLimits.longReads);
    const { statement, lock } = options.timeouts;
    // Set for the transaction only: behind a pooler, the next one may run in another session.
    const configuration = [
      `set_config('statement_timeout', '${statement}', true)`,
      `set_config('lock_timeout', '${lock}', true)`,
      `set_config('idle_in_transaction_session_timeout', '${statement}', true)`,
      // An operator's command may have to read a whole table.
      ...(statement === 0 ? [] : planning),
      ...(options.readsPages ? [planningOfPages] : []),
    ].join(", ");
    this.#writing = { begin: "begin isolation level read committed", configuration };
    this.#reading = { begin: "begin isolation level repeatable read read only", configuration };
  }

  transaction<T, Row = undefined>(work: Work<T, Row>, opening?: Opening<Row>, isDone?: Work<boolean>): Promise<T> {
    return this.#observed(this.#run(this.#bodyOf(this.#writing, work, opening), { opening, isDone }));
  }

  read<T, Row = undefined>(work: Work<T, Row>, opening?: Opening<Row>): Promise<T> {
    // A read locks nothing, so the lock of an opening shared with writes is left out.
    return this.#observed(this.#run(this.#bodyOf(this.#reading, work, opening && { read: opening.read })));
  }

  aside<T>(work: Work<T>, milliseconds: number, owner = noOwner): Promise<T> {
    return this.#observed(this.#runAside(work, milliseconds, owner));
  }

  readLong<Input, Result extends LongResult>(
    { name, read }: LongRead<Input, Result>,
    input: Input,
    options: LongReadOptions,
  ): Promise<Result> {
    const { milliseconds, owner, reserve } = options;
    const elsewhere = async () =>
      this.#thread?.read<Result>({ milliseconds, owner, name, input, now: this.#options.clock?.() });
    return this.#observed(
      this.#runAside((transaction) => read(transaction, input, reserve), milliseconds, owner, elsewhere),
    );
  }

  async #runAside<T>(
    work: Work<T>,
    milliseconds: number,
    owner: Owner,
    elsewhere?: () => Promise<T | undefined>,
  ): Promise<T> {
    // Background work, which has no limit, waits for nobody: it paces itself.
    const release = milliseconds > 0 ? await this.#longReads.acquire(owner, milliseconds) : undefined;
    if (typeof release === "string") throw new Overloaded("too many long reads");
    try {
      const until = performance.now() + (milliseconds || Number.POSITIVE_INFINITY);
      const found = await elsewhere?.();
      if (found !== undefined) return found;
      const timeout = milliseconds ? `, set_config('statement_timeout', '${milliseconds}', true)` : "";
      const beginning = { ...this.#reading, configuration: this.#reading.configuration + timeout };
      const breathe = this.#turns.breather(owner);
      const bounded: Work<T> = (transaction) => work(new BoundedTransaction(transaction, until, breathe), undefined);
      // The timer of a transaction would close its connection: it is for servers that do not respond at all.
      return await this.#run(this.#bodyOf(beginning, bounded, undefined), {
        owner,
        until: until + this.#timeouts.statement,
      });
    } finally {
      release?.();
    }
  }

  grouped<Call extends GroupedCall, Outcome, Row extends OpeningRow>(
    create: CreateGroup<Call, Outcome, Row>,
  ): GroupedCalls<Call, Outcome> {
    const { run, state } = runInGroups(
      {
        beginning: this.#writing,
        callMilliseconds: this.#timeouts.transaction,
        runAlone: (owner, opening, body, isDone, flush, until) =>
          this.#run(body, { owner, opening, isDone, flush, until }),
        runOnce: (body, flush, until, countCarried) => this.#attempt(body, { until, flush, countCarried }),
        settle: (unknown, isDone) => this.#settle(unknown, isDone),
      },
      create,
    );
    this.#callStates.push(state);
    const createAlone = () => create({ isLasting: false, isExclusive: false });
    const lookIn = async (transaction: Transaction, call: Call, row: Row | undefined): Promise<Outcome> => {
      const group = createAlone();
      await group.load(transaction, row ? [row] : []);
      return group.run(transaction, call, (work) => work());
    };
    const openingOf = (call: Call) => createAlone().opening([call]);
    return {
      run: (call) => this.#observed(run(call)),
      look: (call) => {
        const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
        // Nobody waits for the end of a transaction that has read all it reads.
        const look: Work<void, Row> = async (transaction, row) => resolve(await lookIn(transaction, call, row));
        const { read } = openingOf(call);
        this.#run(this.#bodyOf(this.#reading, look, { read }), { owner: call.owner }).catch(reject);
        return this.#observed(promise);
      },
    };
  }

  async ping(): Promise<void> {
    const mustCommit = !this.#proof.holds;
    const askAndWrite: Work<void> = async (transaction) => {
      const row = await transaction.first<{ read_only: string }>(
        sql`select max(version) as version, current_setting('transaction_read_only') as read_only from schema_migrations`,
      );
      // A standby, or a primary that was demoted, responds like a primary until somebody writes.
      if (row?.read_only === "on") throw new DatabaseUnavailable("PostgreSQL accepts only reads");
      // Only an entry in the write-ahead log: its commit waits for the disk and for standbys as any other does.
      if (mustCommit)
        await transaction.first(sql`select pg_logical_emit_message(true, 'commonplace', 'health check')::text as at`);
    };
    await this.#observed(this.#run(this.#bodyOf({ ...this.#writing, mustCommit }, askAndWrite, undefined)));
  }

  pool(): Pool {
    const inThread = Math.min(this.#thread?.size ?? 0, this.#thread?.settings.connections ?? 0);
    const { connections: max } = this.#options;
    return { inUse: this.#inUse + inThread, waiting: this.#connections.state.waiting, max };
  }

  queues(): readonly QueueState[] {
    const openings = { name: "key_locks", waiting: this.#openings.size, max: openingLimits.total };
    const calls = this.#callStates.map((state) => state());
    return [...calls, openings, this.#connections.state, this.#longReads.state, this.#turns.state];
  }

  async close(): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, closeSeconds * 1_000);
    await Promise.race([this.#connections.drained(), late.promise]);
    clearTimeout(timer);
    await this.#thread?.close();
    await this.#pool.close({ timeout: closeSeconds });
  }

  async #observed<T>(running: Promise<T>): Promise<T> {
    try {
      return await running;
    } catch (error) {
      if (error instanceof DatabaseUnavailable && !(error instanceof Overloaded)) this.#options.observer?.unavailable();
      throw error;
    }
  }

  #bodyOf<T, Row>(beginning: BeginStatements, work: Work<T, Row>, opening: Opening<Row> | undefined): Body<T> {
    return async (transaction) => {
      const { rows } = await transaction.begin(beginning, opening);
      const value = await work(transaction, rows[0]);
      await transaction.end();
      return value;
    };
  }

  /** Runs the whole transaction, again when it was lost through no fault of its own. */
  async #run<T>(
    body: Body<T>,
    { opening, ...run }: RunOptions<T> & { readonly opening?: Opening<unknown> | undefined } = {},
  ): Promise<T> {
    const { until = performance.now() + (this.#timeouts.transaction || Number.POSITIVE_INFINITY) } = run;
    const release = opening?.lock && (await this.#acquireOpening(opening.lock, opening.queue));
    try {
      return await this.#repeat(body, { ...run, until });
    } finally {
      release?.();
    }
  }

  /** Transactions that would only wait for the same row wait without a connection, so that one busy key leaves some for the others. */
  async #acquireOpening(lock: Sql, queue = JSON.stringify(lock.values)): Promise<() => void> {
    if (this.#openings.size >= openingLimits.total || this.#openings.waitingFor(queue) >= openingLimits.key)
      throw new Overloaded("too many transactions are waiting for the same row");
    const release = await this.#openings.acquire(queue, this.#timeouts.lock);
    if (!release) throw new DatabaseUnavailable("too many transactions are waiting for the same row");
    return release;
  }

  async #repeat<T>(body: Body<T>, run: RunOptions<T> & { readonly until: number }): Promise<T> {
    const { isDone, until } = run;
    for (let repetition = 0; ; repetition += 1) {
      try {
        return await this.#attempt(body, run);
      } catch (error) {
        if (error instanceof OutcomeUnknown && isDone) {
          // The value in the error is what this work returned.
          if (await this.#settle(error, isDone)) return error.value as T;
          // The server could not write its log, and would fail again.
          if (error.cause !== undefined && !isDisconnection(error.cause))
            throw new DatabaseUnavailable("PostgreSQL could not commit", { cause: error.cause });
        } else if (!(error instanceof TransactionLost)) throw error;
        if (repetition >= repetitionsMax || performance.now() >= until)
          throw new DatabaseUnavailable(`gave up after ${repetition + 1} tries: ${error.message}`, { cause: error });
        this.#options.observer?.retried();
        await Bun.sleep(Math.random() * Math.min(2 ** repetition, pauseMillisecondsMax));
      }
    }
  }

  /** Tells whether a commit took place of which the server has not said it; asks until the database responds. @throws `unknown` when it does not in time */
  async #settle(unknown: OutcomeUnknown, isDone: Work<boolean>): Promise<boolean> {
    const until = performance.now() + settleMilliseconds;
    for (;;) {
      try {
        return await this.#attempt(this.#bodyOf({ ...this.#writing, mustCommit: true }, isDone, undefined), { until });
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
        if (performance.now() >= until) throw unknown;
        await Bun.sleep(pauseMillisecondsMax);
      }
    }
  }

  async #attempt<T>(
    body: Body<T>,
    { owner = noOwner, until, flush, countCarried = () => 1 }: RunOptions<T> & { readonly until: number },
  ): Promise<T> {
    const { connection, release } = await this.#reserve(owner, until);
    // A server that hangs or is unreachable does not even report a timeout.
    let isTimedOut = false;
    const end = () => {
      isTimedOut = true;
      void connection.close();
    };
    const timer = Number.isFinite(until) ? setTimeout(end, Math.max(1, until - performance.now())) : undefined;
    const transaction = new PostgresTransaction(connection, this.#ids, this.#options.clock);
    try {
      const value = await body(transaction);
      const startedAt = performance.now();
      const isCommitted = await transaction.commit(value, flush?.(transaction));
      // Closing its connection makes a commit that waits for replicas report success without them.
      if (isCommitted && isTimedOut) throw new OutcomeUnknown(value, {});
      if (isCommitted) {
        this.#proof.committed();
        this.#options.observer?.committed(countCarried(value), performance.now() - startedAt);
      }
      return value;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) this.#proof.failed();
      // When the connection is gone, the server has rolled back by itself.
      if (!(error instanceof DatabaseUnavailable) || error.cause === undefined || !isDisconnection(error.cause))
        await transaction.rollback().catch(() => connection.close());
      throw error;
    } finally {
      clearTimeout(timer);
      this.#inUse -= 1;
      await connection.release();
      release();
    }
  }

  async #reserve(owner: Owner, until: number): Promise<{ connection: ReservedSQL; release: Release }> {
    const startedAt = performance.now();
    const milliseconds = Math.max(1, Math.min(this.#timeouts.connection, until - startedAt));
    const release = await this.#connections.acquire(owner, milliseconds);
    if (release === "full") throw new Overloaded("too many transactions are waiting for a connection");
    if (release === "late") throw new DatabaseUnavailable("PostgreSQL: no connection is free");
    try {
      const left = Math.max(1, milliseconds - (performance.now() - startedAt));
      const connection = await this.#pool.reserve({ signal: AbortSignal.timeout(left) });
      this.#inUse += 1;
      return { connection, release };
    } catch (error) {
      release();
      const failure = failureOf(error);
      // A connection that was refused would be refused again, so the transaction is not retried.
      const message =
        failure instanceof Error && error instanceof SQL.PostgresError ? failure.message : "no connection is free";
      throw new DatabaseUnavailable(`PostgreSQL: ${message}`, { cause: error });
    }
  }
}
