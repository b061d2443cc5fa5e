// The statements of one transaction on one PostgreSQL connection. They are pipelined: sent at once and answered in order, so that
// statements sent without waiting share a round trip with the next one.
import type { ReservedSQL } from "bun";
import type { V7Generator } from "uuidv7";
import type { OpeningRow } from "./call-group.ts";
import {
  type Clock,
  DatabaseUnavailable,
  type LockPurpose,
  type Opening,
  OutcomeUnknown,
  type Transaction,
} from "./database.ts";
import { type LastWork, LastWorks } from "./last-work.ts";
import { failureOf, isAborted, isRefusedCommit } from "./postgres-failures.ts";
import { addingOnConflict, name, Sql, sql, type Value } from "./sql.ts";

/** How a transaction begins: the texts of its first two statements. */
export interface BeginStatements {
  readonly begin: string;
  /** Settings for this transaction only, such as timeouts: a list of expressions to select. */
  readonly configuration: string;
  /** Commits although it only read: what it saw is then as durable as a write, also when a commit waits for replicas. */
  readonly mustCommit?: boolean;
}

interface Result extends Array<Record<string, unknown>> {
  readonly count: number;
  readonly command: string;
  readonly columns: readonly { readonly name: string; readonly type: number }[];
}

export class PostgresTransaction implements Transaction {
  readonly #connection: ReservedSQL;
  readonly #clock: Clock | undefined;
  readonly #ids: V7Generator;
  readonly #lastWorks = new LastWorks();
  /** The error of a statement that was sent without waiting. */
  #failure: unknown;
  /** The last statement without a response, if it was sent without waiting. */
  #lastSent: Promise<unknown> | undefined;
  #hasWritten = false;
  #depth = 0;
  #nowMilliseconds = 0;
  #now = "";

  /** @param clock replaces the database's clock in tests */
  constructor(connection: ReservedSQL, ids: V7Generator, clock: Clock | undefined) {
    this.#connection = connection;
    this.#ids = ids;
    this.#clock = clock;
  }

  get now(): string {
    return this.#now;
  }

  /** Begins, and reads the time and the opening's rows. All of it is one round trip. @returns also which rows are locked */
  async begin<Row>(
    { begin, configuration, mustCommit = false }: BeginStatements,
    opening?: Opening<Row>,
  ): Promise<{ readonly rows: Row[]; readonly locked: ReadonlySet<string> }> {
    this.#hasWritten = mustCommit;
    this.#sendText(begin);
    this.#sendText(`select ${configuration}`);
    const locking = opening?.lock && this.lockVisible("change", opening.lock);
    const rows = await this.#readOpening(opening);
    // The statements before have responses too. Without its `begin`, every statement would be a transaction of its own.
    if (this.#failure !== undefined) throw failureOf(this.#failure);
    return { rows, locked: (await locking) ?? new Set() };
  }

  /**
   * Like `begin`, but waits for no lock: rows that another transaction has locked are left out.
   * @returns the rows that are locked now
   */
  async beginWithFreeRows<Row extends OpeningRow>(
    { begin, configuration }: BeginStatements,
    opening: Opening<Row>,
  ): Promise<{ readonly free: Row[]; readonly taken: Row[] }> {
    this.#sendText(begin);
    this.#sendText(`select ${configuration}`);
    const { strings, values } = opening.lock ?? sql`select`;
    const locking = this.all<{ id: string }>(new Sql(withClause(strings, "change", " skip locked"), values));
    const [locked, rows] = await Promise.all([locking, this.#readOpening(opening)]);
    if (this.#failure !== undefined) throw failureOf(this.#failure);
    const ids = new Set(locked.map(({ id }) => id));
    return { free: rows.filter(({ id }) => ids.has(id)), taken: rows.filter(({ id }) => !ids.has(id)) };
  }

  async #readOpening<Row>(opening: Opening<Row> | undefined): Promise<Row[]> {
    const moment = momentsOf(this.#clock);
    const rows = await this.all<Row & { now: string }>(
      opening ? opening.read(moment) : sql`select ${moment(0)} as now`,
    );
    // The time goes back for none of the rows, so it is the newest of theirs.
    for (const { now } of rows) if (now > this.#now) this.#now = now;
    if (rows.length > 0) this.#nowMilliseconds = Date.parse(this.#now);
    return rows;
  }

  newId(): string {
    return this.#ids.generateOrResetWithTs(this.#nowMilliseconds).toString();
  }

  async all<Row>(query: Sql): Promise<Row[]> {
    return convertRows(await this.#execute(query)) as Row[];
  }

  async first<Row>(query: Sql): Promise<Row | undefined> {
    return (await this.all<Row>(query))[0];
  }

  async run(query: Sql): Promise<number> {
    return (await this.#execute(query)).count;
  }

  send(query: Sql): void {
    this.#hasWritten ||= isWriting(query.strings);
    this.#lastSent = this.#start(query.strings, query.values).catch((error) => {
      this.#failure ??= error;
    });
  }

  lock(purpose: LockPurpose, query: Sql): void {
    this.lockVisible(purpose, query);
  }

  lockVisible(purpose: LockPurpose, query: Sql): Promise<ReadonlySet<string>> {
    const locked = this.#start(withClause(query.strings, purpose), query.values)
      .then((rows) => new Set(rows.map(({ id }) => String(id))))
      .catch((error) => {
        this.#failure ??= error;
        return new Set<string>();
      });
    this.#lastSent = locked;
    return locked;
  }

  insert(table: string, rows: readonly Readonly<Record<string, Value>>[]): void {
    const [first] = rows;
    if (!first) return;
    this.send(new Sql(insertOf(table, Object.keys(first).join(", ")), [JSON.stringify(rows)]));
  }

  update(table: string, keyColumns: readonly string[], rows: readonly Readonly<Record<string, Value>>[]): void {
    const [first] = rows;
    if (!first) return;
    const changed = Object.keys(first).filter((column) => !keyColumns.includes(column));
    this.send(new Sql(updateOf(table, keyColumns, changed), [JSON.stringify(rows)]));
  }

  add(table: string, keyColumns: readonly string[], rows: readonly Readonly<Record<string, Value>>[]): void {
    const [first] = rows;
    if (!first) return;
    const columns = Object.keys(first);
    const ending = addingOnConflict(table, keyColumns, columns);
    this.send(new Sql(insertOf(table, columns.join(", "), ending), [JSON.stringify(rows)]));
  }

  atEnd<Item>(work: LastWork<Item>, item: Item): void {
    this.#lastWorks.add(work, item);
  }

  /** Does what was left to the end. */
  end(): Promise<void> {
    return this.#lastWorks.run(this);
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const level = `level_${this.#depth}`;
    const { size } = this.#lastWorks;
    this.#sendText(`savepoint ${level}`);
    this.#depth += 1;
    try {
      const result = await work();
      await this.#confirmSent();
      this.#sendText(`release ${level}`);
      return result;
    } catch (error) {
      this.#lastWorks.shrink(size);
      if (!(error instanceof DatabaseUnavailable)) {
        this.#sendText(`rollback to ${level}`);
        this.#sendText(`release ${level}`);
      }
      throw error;
    } finally {
      this.#depth -= 1;
    }
  }

  /** Waits for the responses of statements that nobody has waited for. @throws the error of the first that failed */
  async #confirmSent(): Promise<void> {
    if (this.#lastSent === undefined) return;
    await this.#lastSent;
    this.#lastSent = undefined;
    if (this.#failure !== undefined) throw failureOf(this.#failure);
  }

  /**
   * @param last what the last statements return, which share the round trip of the commit
   * @returns false when there was nothing to commit
   * @throws OutcomeUnknown with the value, unless the server has said that it committed or rolled back
   */
  async commit(value: unknown, last?: Promise<void>): Promise<boolean> {
    const [commit, flushed] = await Promise.allSettled([this.#commit(value), last]);
    if (commit.status === "fulfilled") return commit.value;
    // Why the server rolled back.
    const isUnknown = commit.reason instanceof OutcomeUnknown;
    throw !isUnknown && flushed.status === "rejected" ? flushed.reason : commit.reason;
  }

  async #commit(value: unknown): Promise<boolean> {
    if (!this.#hasWritten && this.#failure === undefined) {
      await this.rollback();
      return false;
    }
    const result = await this.#start(textOf("commit"), []).catch((error) => {
      throw isRefusedCommit(error) ? failureOf(error) : new OutcomeUnknown(value, { cause: error });
    });
    // A transaction with a failed statement is rolled back instead, and the server reports that.
    if (result.command !== "COMMIT") throw failureOf(this.#failure ?? new Error("PostgreSQL rolled back"));
    return true;
  }

  async rollback(): Promise<void> {
    await this.#start(textOf("rollback"), []).catch((error) => {
      throw failureOf(error);
    });
  }

  #sendText(text: string): void {
    this.#start(textOf(text), []).catch((error) => {
      this.#failure ??= error;
    });
  }

  async #execute(query: Sql): Promise<Result> {
    this.#hasWritten ||= isWriting(query.strings);
    try {
      // Statements are answered in order, so this response confirms all before it.
      this.#lastSent = undefined;
      return await this.#start(query.strings, query.values);
    } catch (error) {
      throw failureOf(isAborted(error) ? (this.#failure ?? error) : error);
    }
  }

  #start(strings: readonly string[], values: readonly Value[]): Promise<Result> {
    return this.#connection(templateOf(strings), ...values).execute() as Promise<Result>;
  }
}

/** Bun sends a template as a prepared statement, which can be pipelined; it recognizes a template by its `raw`. */
function templateOf(strings: readonly string[]): TemplateStringsArray {
  if (!("raw" in strings)) Object.defineProperty(strings, "raw", { value: strings });
  // With `raw`, Bun accepts the texts as a template.
  return strings as unknown as TemplateStringsArray;
}

const texts = new Map<string, readonly string[]>();

/** The one template of a text without values. There are a handful of such texts, all in the code. */
function textOf(text: string): readonly string[] {
  const known = texts.get(text) ?? [text];
  texts.set(text, known);
  return known;
}

const inserts = new Map<string, readonly string[]>();

/** Rows are sent as one JSON text, whose fields take the types of the columns: one statement for any number of rows. */
function insertOf(table: string, columns: string, ending = ""): readonly string[] {
  const target = `${table} (${columns})`;
  const known = inserts.get(target + ending) ?? [
    `insert into ${target} select ${columns} from json_populate_recordset(null::${table}, `,
    `::text::json) ${ending}`,
  ];
  inserts.set(target + ending, known);
  return known;
}

const updates = new Map<string, readonly string[]>();

/** Like `insertOf`: one statement for any number of rows. */
function updateOf(table: string, keyColumns: readonly string[], changed: readonly string[]): readonly string[] {
  const target = `${table} (${keyColumns.join(", ")}) ${changed.join(", ")}`;
  const known = updates.get(target) ?? [
    `update ${table} t set ${changed.map((column) => `${column} = r.${column}`).join(", ")}
       from json_populate_recordset(null::${table}, `,
    `::text::json) r where ${keyColumns.map((column) => `t.${column} = r.${column}`).join(" and ")}`,
  ];
  updates.set(target, known);
  return known;
}

const isReadingByStrings = new WeakMap<readonly string[], boolean>();

function isWriting(strings: readonly string[]): boolean {
  let isReading = isReadingByStrings.get(strings);
  if (isReading === undefined) {
    const text = strings.join(" ");
    isReading = /^\s*(select|with)\b/.test(text) && !/\b(insert into|update \w+\s+set|delete from)\b/.test(text);
    isReadingByStrings.set(strings, isReading);
  }
  return !isReading;
}

const lockClauses: Readonly<Record<LockPurpose, string>> = {
  reference: " for key share",
  change: " for no key update",
  delete: " for update",
};
const lockingStrings = new WeakMap<readonly string[], Map<string, readonly string[]>>();

function withClause(strings: readonly string[], purpose: LockPurpose, option = ""): readonly string[] {
  const clause = lockClauses[purpose] + option;
  const known = lockingStrings.get(strings) ?? new Map<string, readonly string[]>();
  lockingStrings.set(strings, known);
  const made = known.get(clause) ?? [...strings.slice(0, -1), `${strings.at(-1) ?? ""}${clause}`];
  known.set(clause, made);
  return made;
}

/** The time the statement began, which is after the locks before it were acquired; in whole milliseconds, like all stored times. */
const statementTime = "date_trunc('milliseconds', statement_timestamp())";
const moments = new Map<number, Sql>();

const momentsOf =
  (clock: Clock | undefined) =>
  (offsetSeconds: number): Sql => {
    if (clock) return sql`${new Date(clock() + offsetSeconds * 1_000).toISOString()}::timestamptz`;
    const known = moments.get(offsetSeconds) ?? name(`(${statementTime} + interval '${offsetSeconds} seconds')`);
    moments.set(offsetSeconds, known);
    return known;
  };

/**
 * Types whose values the service keeps in another form: moments are ISO 8601 text, and every bigint and sum is a number, which is exact
 * because no count of the service exceeds 2^53. Stores rely on it and convert nothing.
 */
const converters: ReadonlyMap<number, (value: unknown) => unknown> = new Map([
  [1184, (value) => (value instanceof Date ? value.toISOString() : value)],
  [20, (value) => (value === null ? null : Number(value))],
  [1700, (value) => (value === null ? null : Number(value))],
]);
const conversions = new WeakMap<Result["columns"], readonly (readonly [string, (value: unknown) => unknown])[]>();

function convertRows(result: Result): Result {
  let conversion = conversions.get(result.columns);
  if (!conversion) {
    conversion = result.columns.flatMap((column) => {
      const converter = converters.get(column.type);
      return converter ? [[column.name, converter] as const] : [];
    });
    conversions.set(result.columns, conversion);
  }
  for (const [column, convert] of conversion) for (const row of result) row[column] = convert(row[column]);
  return result;
}
