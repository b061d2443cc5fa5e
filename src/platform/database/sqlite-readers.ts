// Long reads on SQLite: each on a connection of its own, which only reads, so that the one that writes goes on.
import { Database as Connection } from "bun:sqlite";
import { BoundedTransaction } from "./bounded-transaction.ts";
import type { Clock, Opening, Work } from "./database.ts";
import { SqliteTransaction } from "./sqlite-transaction.ts";

interface Reader {
  readonly connection: Connection;
  readonly transaction: SqliteTransaction;
}

export class SqliteReaders {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #mappedBytesMax: number;
  readonly #free: Reader[] = [];
  readonly #running = new Set<Promise<unknown>>();

  constructor(path: string, clock: Clock, mappedBytesMax: number) {
    this.#path = path;
    this.#clock = clock;
    this.#mappedBytesMax = mappedBytesMax;
  }

  /** @param milliseconds how long it may take; 0 without a limit */
  async run<T, Row>(work: Work<T, Row>, milliseconds: number, opening: Opening<Row> | undefined): Promise<T> {
    const reader = this.#free.pop() ?? this.#open();
    const until = performance.now() + (milliseconds || Number.POSITIVE_INFINITY);
    const running = read(reader, work, until, opening);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
      this.#free.push(reader);
    }
  }

  /** Waits for the reads that run. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#running);
    for (const { connection, transaction } of this.#free) {
      transaction.finalize();
      connection.close();
    }
  }

  #open(): Reader {
    const connection = new Connection(this.#path, { readonly: true, strict: true });
    connection.run("pragma cache_size = -4096");
    connection.run(`pragma mmap_size = ${this.#mappedBytesMax}`);
    return { connection, transaction: new SqliteTransaction(connection, this.#clock) };
  }
}

async function read<T, Row>(
  { connection, transaction }: Reader,
  work: Work<T, Row>,
  until: number,
  opening: Opening<Row> | undefined,
): Promise<T> {
  connection.run("begin deferred");
  try {
    transaction.refreshNow();
    const bounded = new BoundedTransaction(transaction, until);
    const opened = opening?.read((seconds) => transaction.moment(seconds));
    return await work(bounded, opened && (await bounded.first<Row>(opened)));
  } finally {
    connection.run("rollback");
  }
}
