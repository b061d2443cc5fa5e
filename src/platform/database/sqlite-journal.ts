// Rows that are only ever added gather in a journal on SQLite. A table with an index by key has a place of its own for each key, so every
// commit would write a page for every call; the journal is written at its end, and its rows move to their table by the hundreds.
import type { Database as Connection, Statement } from "bun:sqlite";

/** The tables with a journal. Each has the same columns in `<table>_journal`, in the same order. */
const journaled = ["ledger"] as const;

/** Fewer calls than this gain nothing from a journal. */
const callsMin = 4;
/** So many rows move at once that a page of the table takes several of them, and so few that no call waits long. */
const rowsMax = 1_024;

export const journalOf = (table: string): string => `${table}_journal`;

export const isJournal = (table: string): boolean => journaled.some((name) => journalOf(name) === table);

export class Journal {
  readonly #connection: Connection;
  readonly #isReadonly: boolean;
  #isGathering = false;
  #rowsSinceMove = 0;
  #isEmptyStatement: Statement<{ has_rows: number }, []> | undefined;

  constructor(connection: Connection, isReadonly: boolean) {
    this.#connection = connection;
    this.#isReadonly = isReadonly;
  }

  /** True if all rows are in their tables. Another process may have left some. A connection that only reads shows both. */
  isEmpty(): boolean {
    if (this.#isReadonly) return true;
    this.#isEmptyStatement ??= this.#prepare();
    return this.#isEmptyStatement?.get()?.has_rows !== 1;
  }

  /** Undefined before the schema is there. */
  #prepare(): Statement<{ has_rows: number }, []> | undefined {
    const names = journaled.map(journalOf);
    const found = this.#connection
      .query<{ name: string }, [string]>("select name from sqlite_schema where name = ?")
      .all(names[0] ?? "");
    if (found.length === 0) return undefined;
    return this.#connection.prepare(
      `select ${names.map((name) => `exists (select 1 from ${name})`).join(" or ")} as has_rows`,
    );
  }

  /** Decides where the rows of a group go. @param calls how many share its transaction */
  begin(calls: number): void {
    this.#isGathering = calls >= callsMin;
  }

  /** The table that takes new rows of `table` now. */
  targetOf(table: string, rows: number): string {
    if (!this.#isGathering) return table;
    this.#rowsSinceMove += rows;
    return journalOf(table);
  }

  isFull(): boolean {
    return this.#rowsSinceMove >= rowsMax;
  }

  /** Moves all rows to their tables, in the transaction that runs. */
  move(): void {
    this.#rowsSinceMove = 0;
    for (const table of journaled) {
      this.#connection.run(`insert into ${table} select * from ${journalOf(table)}`);
      this.#connection.run(`delete from ${journalOf(table)}`);
    }
  }

  finalize(): void {
    this.#isEmptyStatement?.finalize();
  }
}

/**
 * For a connection that only reads: each table shows the rows of its journal too.
 * @param isImmutable no other process has the database open, so an empty journal stays empty
 */
export function showJournal(connection: Connection, isImmutable: boolean): void {
  for (const table of journaled) {
    const journal = journalOf(table);
    const isThere = connection.query("select 1 from sqlite_schema where name = ?").get(journal) !== null;
    if (!isThere || (isImmutable && connection.query(`select 1 from ${journal} limit 1`).get() === null)) continue;
    connection.run(`create temp view ${table} as select * from main.${table} union all select * from main.${journal}`);
  }
}
