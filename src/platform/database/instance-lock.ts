// A lock that spans the whole instance, for what only one node may do at a time.
import type { Transaction } from "./database.ts";
import { sql } from "./sql.ts";

/** Makes the transactions of all nodes that call this take turns, until each ends. */
export const lockForInstance = (transaction: Transaction): void =>
  transaction.lock("change", sql`select version from schema_migrations order by version`);
