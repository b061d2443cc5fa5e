// Work that a transaction does at its end, such as changing a row that many transactions change: they hold its lock only briefly, and all
// take it after their other locks.
import type { Transaction } from "./database.ts";

/** Receives everything that was handed over for it in the transaction. */
export type LastWork<Item> = (transaction: Transaction, items: readonly Item[]) => Promise<void>;

/** What is left to do in one transaction. */
export class LastWorks {
  #items: { readonly work: LastWork<never>; readonly item: unknown }[] = [];

  get size(): number {
    return this.#items.length;
  }

  add<Item>(work: LastWork<Item>, item: Item): void {
    this.#items.push({ work, item });
  }

  /** Forgets what was added since there were this many. */
  shrink(size: number): void {
    this.#items.length = size;
  }

  async run(transaction: Transaction): Promise<void> {
    const items = this.#items;
    this.#items = [];
    // `add` takes only items of the work's own type.
    for (const [work, group] of Map.groupBy(items, ({ work }) => work))
      await work(transaction, group.map(({ item }) => item) as never[]);
  }
}
