// The statements of one transaction on one PostgreSQL connection. They are pipelined: sent at once and answered in order, so that
// statements sent without waiting share a round trip with the next one.
import type { ReservedSQL } from "bun";
import type { V7Generator } from "uuidv7";
import {
  type Clock,
  DatabaseUnavailable,
  type LockPurpose,
  type Opening,
  OutcomeUnknown,
  type Transaction,
} from "./database.ts";
import { failureOf, isAborted, isDisconnection } from "./postgres-failures.ts";
import { name, Sql, sql, type Value } from "./sql.ts";

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
  /** The error of a statement that was sent without waiting. */
  #failure: unknown;
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

  /** Begins, and reads the time and the opening's row. All of it is one round trip. */
  async begin<Row>(
    { begin, configuration, mustCommit = false }: BeginStatements,
    opening?: Opening<Row>,
  ): Promise<Row | undefined> {
    this.#hasWritten = mustCommit;
    this.#sendText(begin);
    this.#sendText(`select ${configuration}`);
    if (opening?.lock) this.lock("change", opening.lock);
    const moment = momentsOf(this.#clock);
    const [row] = await this.all<Row & { now: string }>(
      opening ? opening.read(moment) : sql`select ${moment(0)} as now`,
    );
    // The statements before have responses too. Without its `begin`, every statement would be a transaction of its own.
    if (this.#failure !== undefined) throw failureOf(this.#failure);
    if (row) {
      this.#now = row.now;
      this.#nowMilliseconds = Date.parse(row.now);
    }
    return row;
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
    this.#start(query.strings, query.values).catch((error) => {
      this.#failure ??= error;
    });
  }

  lock(purpose: LockPurpose, query: Sql): void {
    this.send(new Sql(withClause(query.strings, purpose), query.values));
  }

  insert(table: string, rows: readonly Readonly<Record<string, Value>>[]): void {
    const [first] = rows;
    if (!first) return;
    this.send(new Sql(insertOf(table, Object.keys(first).join(", ")), [JSON.stringify(rows)]));
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const level = `level_${this.#depth}`;
    this.#sendText(`savepoint ${level}`);
    this.#depth += 1;
    try {
      const result = await work();
      this.#sendText(`release ${level}`);
      return result;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) {
        this.#sendText(`rollback to ${level}`);
        this.#sendText(`release ${level}`);
      }
      throw error;
    } finally {
      this.#depth -= 1;
    }
  }

  /** @returns false when there was nothing to commit. @throws OutcomeUnknown with the value when the connection broke before the response */
  async commit(value: unknown): Promise<boolean> {
    if (!this.#hasWritten && this.#failure === undefined) {
      await this.rollback();
      return false;
    }
    const result = await this.#start(textOf("commit"), []).catch((error) => {
      throw isDisconnection(error) ? new OutcomeUnknown(value, { cause: error }) : failureOf(error);
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
function insertOf(table: string, columns: string): readonly string[] {
  const target = `${table} (${columns})`;
  const known = inserts.get(target) ?? [
    `insert into ${target} select ${columns} from json_populate_recordset(null::${table}, `,
    "::text::json)",
  ];
  inserts.set(target, known);
  return known;
}

const isReadingByStrings = new WeakMap<readonly string[], boolean>();

function isWriting(strings: readonly string[]): boolean {
  let isReading = isReadingByStrings.get(strings);
  if (isReading === undefined) {
    isReading = /^\s*(select|with)\b/.test(strings[0] ?? "");
    isReadingByStrings.set(strings, isReading);
  }
  return !isReading;
}

const lockClauses: Readonly<Record<LockPurpose, string>> = {
  reference: " for key share",
  change: " for no key update",
  delete: " for update",
};
const lockingStrings = new WeakMap<readonly string[], Map<LockPurpose, readonly string[]>>();

function withClause(strings: readonly string[], purpose: LockPurpose): readonly string[] {
  const known = lockingStrings.get(strings) ?? new Map<LockPurpose, readonly string[]>();
  lockingStrings.set(strings, known);
  const made = known.get(purpose) ?? [...strings.slice(0, -1), `${strings.at(-1) ?? ""}${lockClauses[purpose]}`];
  known.set(purpose, made);
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
