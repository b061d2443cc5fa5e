// A transaction for long reads: other work of the process goes first again and again, and it may not take longer than a given time.
import type { Breathe } from "../breather.ts";
import { DatabaseTooSlow, DatabaseUnavailable, type Transaction } from "./database.ts";
import type { Sql } from "./sql.ts";

export class BoundedTransaction implements Transaction {
  readonly #transaction: Transaction;
  readonly #until: number;
  readonly #breathe: Breathe;

  /**
   * @param until by `performance.now()`
   * @param breathe waits for its turn
   */
  constructor(transaction: Transaction, until: number, breathe: Breathe) {
    this.#transaction = transaction;
    this.#until = until;
    this.#breathe = breathe;
  }

  get now(): string {
    return this.#transaction.now;
  }

  newId(): string {
    return this.#transaction.newId();
  }

  all<Row>(query: Sql): Promise<Row[]> {
    return this.#run(() => this.#transaction.all<Row>(query));
  }

  first<Row>(query: Sql): Promise<Row | undefined> {
    return this.#run(() => this.#transaction.first<Row>(query));
  }

  savepoint<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  async run(): Promise<number> {
    throw onlyReads();
  }

  send(): void {
    throw onlyReads();
  }

  lock(): void {
    throw onlyReads();
  }

  lockVisible(): undefined {
    throw onlyReads();
  }

  insert(): void {
    throw onlyReads();
  }

  update(): void {
    throw onlyReads();
  }

  add(): void {
    throw onlyReads();
  }

  atEnd(): void {
    throw onlyReads();
  }

  async #run<T>(statement: () => Promise<T>): Promise<T> {
    await this.#breathe();
    if (performance.now() >= this.#until) throw new DatabaseTooSlow("a read took too long");
    try {
      return await statement();
    } catch (error) {
      if (error instanceof DatabaseUnavailable && performance.now() >= this.#until)
        throw new DatabaseTooSlow("a read took too long", { cause: error });
      throw error;
    }
  }
}

const onlyReads = (): Error => new Error("this transaction only reads");
