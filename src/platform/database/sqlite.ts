// The embedded engine: SQLite inside the process, one writer, and group commit: calls that wait while a commit runs share the
// next transaction, each in a savepoint of its own, and are answered when that commit is on the disk.
import { Database as Connection, constants, SQLiteError, type Statement } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { V7Generator } from "uuidv7";
import { addSeconds } from "../time.ts";
import {
  type Clock,
  type Database,
  type DatabaseObserver,
  DatabaseUnavailable,
  DatabaseUnusable,
  type Opening,
  type Transaction,
  type Work,
} from "./database.ts";
import { migrate } from "./migrate.ts";
import type { ColumnTypes } from "./migration.ts";
import { type Sql, sql, type Value } from "./sql.ts";

const columnTypes: ColumnTypes = {
  uuid: "text",
  timestamp: "text",
  boolean: "integer",
  bigint: "integer",
  tableEnd: "strict",
  clusteredTableEnd: "strict, without rowid",
};

/** A small database is read through once at the start; for a large one that would cost seconds, and is an operator's command. */
const checkedAtStartBytesMax = 64 * 1024 * 1024;
/**
 * So much of the file is read where the system has it, instead of being copied out page by page; SQLite itself ends it at 2 GiB. A read
 * that the disk refuses ends the process then, where it was a 503 before: nothing is lost by either, and a supervisor starts it again.
 */
const mappedBytesMax = 0x7fff0000;
const logBytesKept = 64 * 1024 * 1024;
const lockWaitMilliseconds = 2_000;
const lockRetryMilliseconds = 5;

/** Opens the file, brings its schema up to date and checks what durability rests on. @throws DatabaseUnusable */
export async function openSqlite(
  path: string,
  clock: Clock,
  mustExist = false,
  observer?: DatabaseObserver,
): Promise<Database> {
  if (mustExist) requireDatabaseFile(path);
  let connection: Connection | undefined;
  try {
    connection = connect(path);
    const database = new SqliteDatabase(connection, path, clock, observer);
    await migrate(database, columnTypes);
    return database;
  } catch (cause) {
    connection?.close();
    if (cause instanceof DatabaseUnusable) throw new DatabaseUnusable(`${path}: ${cause.message}`);
    if (cause instanceof SQLiteError || cause instanceof DatabaseUnavailable)
      throw new DatabaseUnusable(`the database ${path} can not be used: ${cause.message}`, { cause });
    throw cause;
  }
}

/**
 * Opens the file as it stands, only to be read: nothing is made, migrated or checked.
 * @param isAtRest nobody has the file open, and as long as that is so, nothing is written beside it either
 * @throws DatabaseUnusable
 */
export function inspectSqlite(path: string, isAtRest: boolean): Database {
  if (!existsSync(path)) throw new DatabaseUnusable(`there is no database at ${resolve(path)}`);
  try {
    const connection = isAtRest
      ? new Connection(`${pathToFileURL(path)}?immutable=1`, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
      : new Connection(path, { readonly: true });
    connection.run("pragma cache_size = -32768");
    return new SqliteDatabase(connection, path, Date.now, undefined);
  } catch (cause) {
    if (!(cause instanceof SQLiteError)) throw cause;
    throw new DatabaseUnusable(`the database ${path} can not be read: ${cause.message}`, { cause });
  }
}

/** @throws DatabaseUnusable when the instance was never started */
export function requireDatabaseFile(path: string): void {
  if (existsSync(path)) return;
  throw new DatabaseUnusable(
    `there is no database at ${resolve(path)} yet: start the service first, or give --data DIR`,
  );
}

function connect(path: string): Connection {
  const connection = new Connection(path, { create: true, readwrite: true, strict: true });
  connection.run(`pragma busy_timeout = ${lockWaitMilliseconds}`);
  connection.run("pragma journal_mode = wal");
  connection.run("pragma synchronous = full");
  connection.run("pragma foreign_keys = on");
  connection.run("pragma cache_size = -32768");
  connection.run(`pragma mmap_size = ${mappedBytesMax}`);
  // A backup makes the log grow for as long as it copies; afterwards the space is given back.
  connection.run(`pragma journal_size_limit = ${logBytesKept}`);
  const read = (pragma: string): unknown => Object.values(connection.query(`pragma ${pragma}`).get() ?? {})[0];
  for (const [pragma, wanted] of [
    ["journal_mode", "wal"],
    ["synchronous", 2],
    ["foreign_keys", 1],
  ] as const)
    if (read(pragma) !== wanted)
      throw new DatabaseUnusable(`SQLite does not keep ${pragma} = ${wanted}, without which a commit is not durable`);
  if (statSync(path).size <= checkedAtStartBytesMax) {
    const finding = read("quick_check(1)");
    if (finding !== "ok") throw new DatabaseUnusable(`the database is damaged: ${finding}`);
  }
  return connection;
}

interface Job {
  readonly work: Work<unknown, never>;
  readonly opening: Opening<unknown> | undefined;
  readonly isReading: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

class SqliteDatabase implements Database {
  readonly #connection: Connection;
  readonly #path: string;
  readonly #inode: number;
  readonly #transaction: SqliteTransaction;
  readonly #observer: DatabaseObserver | undefined;
  #waiting: Job[] = [];
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(connection: Connection, path: string, clock: Clock, observer: DatabaseObserver | undefined) {
    this.#connection = connection;
    this.#path = path;
    this.#observer = observer;
    this.#inode = statSync(path).ino;
    this.#transaction = new SqliteTransaction(connection, clock);
    // From here on a lock is waited for without holding up the event loop: see #begin.
    connection.run("pragma busy_timeout = 0");
  }

  transaction<T, Row = undefined>(work: Work<T, Row>, opening?: Opening<Row>): Promise<T> {
    return this.#enqueue(work, opening, false);
  }

  read<T, Row = undefined>(work: Work<T, Row>, opening?: Opening<Row>): Promise<T> {
    return this.#enqueue(work, opening, true);
  }

  async ping(): Promise<void> {
    try {
      this.#requireFile();
      this.#connection.query("select count(*) from schema_migrations").get();
    } catch (cause) {
      this.#observer?.unavailable();
      throw cause instanceof DatabaseUnavailable ? cause : new DatabaseUnavailable("SQLite does not answer", { cause });
    }
  }

  pool(): undefined {
    // There is no connection but the one inside this process.
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#running) await this.#running;
    this.#transaction.finalize();
    this.#connection.close();
  }

  #enqueue<T, Row>(work: Work<T, Row>, opening: Opening<Row> | undefined, isReading: boolean): Promise<T> {
    if (this.#isClosed) return Promise.reject(new DatabaseUnavailable("the database is closed"));
    return new Promise<T>((resolve, reject) => {
      // A job resolves with what its own work returned, and its work is given the row of its own opening.
      this.#waiting.push({ work, opening, isReading, resolve: resolve as Job["resolve"], reject });
      this.#running ??= this.#runGroups();
    });
  }

  async #runGroups(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Everything that this turn of the event loop brings joins the group; a lone call starts at once after it.
      await new Promise(setImmediate);
      const group = this.#waiting;
      this.#waiting = [];
      await this.#runGroup(group);
    }
    this.#running = undefined;
  }

  async #runGroup(group: readonly Job[]): Promise<void> {
    const answers: (() => void)[] = [];
    try {
      this.#requireFile();
      await this.#begin(group.every((job) => job.isReading) ? "begin deferred" : "begin immediate");
      this.#transaction.takeTime();
      for (const job of group) {
        try {
          const value = await this.#transaction.savepoint(() => this.#runJob(job));
          answers.push(() => job.resolve(value));
        } catch (error) {
          if (error instanceof DatabaseUnavailable) throw error;
          answers.push(() => job.reject(error));
        }
      }
      this.#commit(group);
    } catch (cause) {
      this.#rollback();
      const failure =
        cause instanceof DatabaseUnavailable ? cause : new DatabaseUnavailable("SQLite could not commit", { cause });
      for (const job of group) {
        this.#observer?.unavailable();
        job.reject(failure);
      }
      return;
    }
    for (const answer of answers) answer();
  }

  async #runJob({ work, opening }: Job): Promise<unknown> {
    const transaction = this.#transaction;
    const opened = opening && (await transaction.first<never>(opening.look((seconds) => transaction.moment(seconds))));
    return work(transaction, opened);
  }

  /** A file that was deleted or replaced goes on to take writes, and nobody would ever see them again. */
  #requireFile(): void {
    const inode = statSync(this.#path, { throwIfNoEntry: false })?.ino;
    if (inode !== this.#inode) throw new DatabaseUnavailable(`the database file ${this.#path} was removed or replaced`);
  }

  /** Another process, such as the operator's command line, may hold the lock for a moment. */
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

  #commit(group: readonly Job[]): void {
    const startedAt = performance.now();
    this.#connection.run("commit");
    if (group.some((job) => !job.isReading)) this.#observer?.committed(group.length, performance.now() - startedAt);
  }

  #rollback(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.run("rollback");
    } catch {
      // The engine has failed already; what it could not roll back, it does when the database is opened again.
    }
  }
}

const engineFailure = /^SQLITE_(FULL|IOERR|CORRUPT|NOTADB|NOMEM|READONLY|BUSY|LOCKED|CANTOPEN|PROTOCOL)/;

/** Tells a failure of the engine, after which nothing of the group can be kept, from a broken constraint, which is one job's own. */
function execute<T>(statement: () => T): T {
  try {
    return statement();
  } catch (error) {
    if (error instanceof SQLiteError && engineFailure.test(error.code ?? ""))
      throw new DatabaseUnavailable(error.message, { cause: error });
    throw error;
  }
}

class SqliteTransaction implements Transaction {
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #ids = new V7Generator();
  readonly #byTemplate = new WeakMap<readonly string[], Statement>();
  readonly #byText = new Map<string, Statement>();
  #nowMilliseconds = 0;
  #depth = 0;
  now = "";

  constructor(connection: Connection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  /** The moment of the group that begins. */
  takeTime(): void {
    const milliseconds = Math.max(this.#nowMilliseconds, this.#clock());
    if (milliseconds === this.#nowMilliseconds) return;
    this.#nowMilliseconds = milliseconds;
    this.now = new Date(milliseconds).toISOString();
  }

  /** The moment of the group, or so many seconds away from it. */
  moment(offsetSeconds: number): Sql {
    const iso = offsetSeconds === 0 ? this.now : addSeconds(this.now, offsetSeconds);
    return sql`${iso}`;
  }

  finalize(): void {
    for (const statement of this.#byText.values()) statement.finalize();
  }

  newId(): string {
    return this.#ids.generateOrResetWithTs(this.#nowMilliseconds).toString();
  }

  async all<Row>(query: Sql): Promise<Row[]> {
    return execute(() => this.#statement(query).all(...bind(query.values)) as Row[]);
  }

  async first<Row>(query: Sql): Promise<Row | undefined> {
    return execute(() => (this.#statement(query).get(...bind(query.values)) ?? undefined) as Row | undefined);
  }

  async run(query: Sql): Promise<number> {
    return execute(() => this.#statement(query).run(...bind(query.values)).changes);
  }

  send(query: Sql): void {
    execute(() => this.#statement(query).run(...bind(query.values)));
  }

  lock(): void {
    // There is one writer, and this is it.
  }

  insert(table: string, rows: readonly Readonly<Record<string, Value>>[]): void {
    const [first] = rows;
    if (!first) return;
    const columns = Object.keys(first);
    execute(() => {
      const statement = this.#prepare(
        `insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`,
      );
      for (const row of rows) statement.run(...bind(Object.values(row)));
    });
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const name = `level_${this.#depth}`;
    execute(() => this.#prepare(`savepoint ${name}`).run());
    this.#depth += 1;
    try {
      const result = await work();
      execute(() => this.#prepare(`release ${name}`).run());
      return result;
    } catch (error) {
      // A failed engine has ended the transaction by itself, and its savepoints with it.
      if (this.#connection.inTransaction) {
        execute(() => this.#prepare(`rollback to ${name}`).run());
        execute(() => this.#prepare(`release ${name}`).run());
      }
      throw error;
    } finally {
      this.#depth -= 1;
    }
  }

  #statement(query: Sql): Statement {
    const known = this.#byTemplate.get(query.strings);
    if (known) return known;
    const statement = this.#prepare(query.strings.join("?"));
    this.#byTemplate.set(query.strings, statement);
    return statement;
  }

  /** Statements are written in PostgreSQL's words; SQLite spells three of them otherwise. */
  #prepare(text: string): Statement {
    const known = this.#byText.get(text);
    if (known) return known;
    const spelled = text
      .replaceAll("json_agg(", "json_group_array(")
      .replaceAll("json_build_object(", "json_object(")
      .replaceAll(/to_char\((\S+) at time zone 'UTC', 'YYYY-MM-DD'\)/g, "substr($1, 1, 10)");
    const statement = this.#connection.prepare(spelled);
    this.#byText.set(text, statement);
    return statement;
  }
}

/** SQLite has no boolean: 0 and 1 stand for it. */
const bind = (values: readonly Value[]): (string | number | null)[] =>
  values.map((value) => (typeof value === "boolean" ? Number(value) : value));
