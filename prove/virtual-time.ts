// Transactions at times that a proof chooses, and work whose effects nobody keeps.
import type { Database, Transaction } from "../src/platform/database/database.ts";

/** A transaction at another time than its own. */
export const atMoment = (transaction: Transaction, milliseconds: number): Transaction => ({
  now: new Date(milliseconds).toISOString(),
  newId: () => transaction.newId(),
  all: (query) => transaction.all(query),
  first: (query) => transaction.first(query),
  run: (query) => transaction.run(query),
  send: (query) => transaction.send(query),
  lock: (purpose, query) => transaction.lock(purpose, query),
  lockVisible: (purpose, query) => transaction.lockVisible(purpose, query),
  insert: (table, rows) => transaction.insert(table, rows),
  update: (table, keyColumns, rows) => transaction.update(table, keyColumns, rows),
  add: (table, keyColumns, rows) => transaction.add(table, keyColumns, rows),
  savepoint: (work) => transaction.savepoint(work),
  atEnd: (work, item) => transaction.atEnd(work, item),
});

/** Thrown to roll back. */
class Undone extends Error {}

/** Runs `work` in a transaction that is rolled back afterwards, so that the database stays small. */
export async function withoutTrace(database: Database, work: (transaction: Transaction) => Promise<void>) {
  const undone = new Undone();
  await database
    .transaction(async (transaction) => {
      await work(transaction);
      throw undone;
    })
    .catch((error) => {
      if (error !== undone) throw error;
    });
}
