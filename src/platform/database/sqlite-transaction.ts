// The statements of a transaction on SQLite: prepared once, and run at once.
import type { Database as Connection, Statement } from "bun:sqlite";
import { V7Generator } from "uuidv7";
import { addSeconds } from "../time.ts";
import { type Clock, DatabaseUnavailable, type Transaction } from "./database.ts";
import { type LastWork, LastWorks } from "./last-work.ts";
import { addingOnConflict, type Sql, sql, type Value } from "./sql.ts";
import { isEngineFailure } from "./sqlite-failures.ts";

/** Runs a statement. @throws DatabaseUnavailable when the engine failed, which fails the whole group; a violated constraint fails one call */
function execute<T>(statement: () => T): T {
  try {
    return statement();
  } catch (error) {
    if (isEngineFailure(error)) throw new DatabaseUnavailable(error.message, { cause: error });
    throw error;
  }
}

/** The one transaction of a connection: each group of calls runs in it, and each call in a savepoint of its own. */
export class SqliteTransaction implements Transaction {
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #ids = new V7Generator();
  readonly #byTemplate = new WeakMap<readonly string[], Statement>();
  readonly #byText = new Map<string, Statement>();
  readonly #lastWorks = new LastWorks();
  #nowMilliseconds = 0;
  #depth = 0;
  now = "";

  constructor(connection: Connection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  /** Sets `now` to the time of the group that begins. */
  refreshNow(): void {
    const milliseconds = Math.max(this.#nowMilliseconds, this.#clock());
    if (milliseconds === this.#nowMilliseconds) return;
    this.#nowMilliseconds = milliseconds;
    this.now = new Date(milliseconds).toISOString();
  }

  /** The time of the group plus an offset. */
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
    // There is one writer, so nothing can change the row.
  }

  lockVisible(): undefined {
    return undefined;
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

  update(table: string, keyColumns: readonly string[], rows: readonly Readonly<Record<string, Value>>[]): void {
    const [first] = rows;
    if (!first) return;
    const changed = Object.keys(first).filter((column) => !keyColumns.includes(column));
    const conditions = keyColumns.map((column) => `${column} = ?`).join(" and ");
    execute(() => {
      const statement = this.#prepare(
        `update ${table} set ${changed.map((column) => `${column} = ?`).join(", ")} where ${conditions}`,
      );
      for (const row of rows) statement.run(...bind([...changed, ...keyColumns].map((column) => row[column] ?? null)));
    });
  }

  add(table: string, keyColumns: readonly string[], rows: readonly Readonly<Record<string, Value>>[]): void {
    const [first] = rows;
    if (!first) return;
    const columns = Object.keys(first);
    execute(() => {
      const statement = this.#prepare(
        `insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})
           ${addingOnConflict(table, keyColumns, columns)}`,
      );
      for (const row of rows) statement.run(...bind(Object.values(row)));
    });
  }

  atEnd<Item>(work: LastWork<Item>, item: Item): void {
    this.#lastWorks.add(work, item);
  }

  /** Does what was left to the end. */
  end(): Promise<void> {
    return this.#lastWorks.run(this);
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const name = `level_${this.#depth}`;
    const { size } = this.#lastWorks;
    execute(() => this.#prepare(`savepoint ${name}`).run());
    this.#depth += 1;
    try {
      const result = await work();
      execute(() => this.#prepare(`release ${name}`).run());
      return result;
    } catch (error) {
      this.#lastWorks.shrink(size);
      // An engine that failed has ended the transaction and its savepoints already.
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

  /** Statements are written for PostgreSQL; SQLite has other names for three functions. */
  #prepare(text: string): Statement {
    const known = this.#byText.get(text);
    if (known) return known;
    const translated = text
      .replaceAll("json_agg(", "json_group_array(")
      .replaceAll("json_build_object(", "json_object(")
      .replaceAll(/to_char\((\S+) at time zone 'UTC', 'YYYY-MM-DD'\)/g, "substr($1, 1, 10)");
    const statement = this.#connection.prepare(translated);
    this.#byText.set(text, statement);
    return statement;
  }
}

/** SQLite has no boolean: it stores 0 and 1. */
const bind = (values: readonly Value[]): (string | number | null)[] =>
  values.map((value) => (typeof value === "boolean" ? Number(value) : value));
