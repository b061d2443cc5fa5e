// How commands reach the instance's database: one transaction, opened and closed around it.
import type { Database, Transaction } from "../../platform/database/database.ts";
import { openDatabase } from "../../platform/database/open.ts";
import { whenConnectionIsFree } from "../free-connection.ts";
import type { CommandContext } from "./command.ts";

type Work<T> = (transaction: Transaction) => Promise<T>;

/**
 * Runs `work` in one transaction on the instance's database.
 * @param mayCreate whether a missing database is created
 */
export const inTransaction = <T>(context: CommandContext, work: Work<T>, mayCreate = false): Promise<T> =>
  withDatabase(context, mayCreate, (database) => database.transaction(work));

/** The same for a command that only reads: however long it takes, the service does not wait for it. */
export const readDatabase = <T>(context: CommandContext, work: Work<T>): Promise<T> =>
  withDatabase(context, false, (database) => database.read(work));

/** The same for work in several transactions, so that the service does not wait for all of it. */
export const inPortions = <T>(context: CommandContext, work: (database: Database) => Promise<T>): Promise<T> =>
  withDatabase(context, false, work);

async function withDatabase<T>(
  { config }: CommandContext,
  mayCreate: boolean,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await whenConnectionIsFree(() => openDatabase(config, { mustExist: !mayCreate }));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
