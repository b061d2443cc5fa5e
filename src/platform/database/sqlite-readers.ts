// Long reads on SQLite: each on a connection of its own, which only reads, so that the one that writes goes on.
import { Database as Connection } from "bun:sqlite";
import type { Breathe } from "../breather.ts";
import type { Owner, QueueState } from "../fair-queue.ts";
import { FairSlots } from "../fair-slots.ts";
import { queueLimits } from "../queue-limits.ts";
import type { Turns } from "../turns.ts";
import { BoundedTransaction } from "./bounded-transaction.ts";
import { type Clock, Overloaded, type Work } from "./database.ts";
import { SqliteTransaction } from "./sqlite-transaction.ts";

interface Reader {
  readonly connection: Connection;
  readonly transaction: SqliteTransaction;
}

/** They share one processor: more at a time would only take longer together. */
const readersMax = 4;

export class SqliteReaders {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #turns: Turns;
  readonly #slots = new FairSlots("searches", readersMax, queueLimits.longReads);
  readonly #free: Reader[] = [];
  readonly #running = new Set<Promise<unknown>>();
  #held: Promise<void> | undefined;

  constructor(path: string, clock: Clock, turns: Turns) {
    this.#path = path;
    this.#clock = clock;
    this.#turns = turns;
  }

  get state(): QueueState {
    return this.#slots.state;
  }

  /**
   * @param milliseconds how long it may take, and how long it may wait before that; 0 without a limit
   * @param elsewhere does the same, or finds nothing; for reads that are not alone
   * @throws Overloaded
   */
  async run<T>(
    work: Work<T>,
    milliseconds: number,
    owner: Owner,
    elsewhere?: () => Promise<T | undefined>,
  ): Promise<T> {
    // Background work, which has no limit, waits for nobody: it paces itself.
    const release = milliseconds > 0 ? await this.#slots.acquire(owner, milliseconds) : undefined;
    if (typeof release === "string") throw new Overloaded("too many long reads");
    while (this.#held) await this.#held;
    const until = performance.now() + (milliseconds || Number.POSITIVE_INFINITY);
    const running = this.#read(work, until, owner, elsewhere);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
      release?.();
    }
  }

  /** Waits for the reads that run, and lets no other begin until the work is done. @returns false where they take longer than that */
  async pause(milliseconds: number, work: () => Promise<void>): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    try {
      const ended = Promise.allSettled(this.#running).then(() => true);
      const isIdle = await Promise.race([ended, Bun.sleep(milliseconds).then(() => false)]);
      if (isIdle) await work();
      return isIdle;
    } finally {
      this.#held = undefined;
      resolve();
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

  async #read<T>(
    work: Work<T>,
    until: number,
    owner: Owner,
    elsewhere: (() => Promise<T | undefined>) | undefined,
  ): Promise<T> {
    // Alone, it is done sooner here, and others wait for one portion of it at most.
    const found = this.#slots.taken > 1 ? await elsewhere?.() : undefined;
    if (found !== undefined) return found;
    const reader = this.#free.pop() ?? this.#open();
    try {
      return await read(reader, work, until, this.#turns.breather(owner));
    } finally {
      this.#free.push(reader);
    }
  }

  #open(): Reader {
    const connection = new Connection(this.#path, { readonly: true, strict: true });
    // Not through a memory map, which SQLite removes and makes again whenever another connection has written.
    connection.run("pragma cache_size = -4096");
    return { connection, transaction: new SqliteTransaction(connection, this.#clock) };
  }
}

async function read<T>(
  { connection, transaction }: Reader,
  work: Work<T>,
  until: number,
  breathe: Breathe,
): Promise<T> {
  connection.run("begin deferred");
  try {
    transaction.refreshNow();
    return await work(new BoundedTransaction(transaction, until, breathe), undefined);
  } finally {
    connection.run("rollback");
  }
}
