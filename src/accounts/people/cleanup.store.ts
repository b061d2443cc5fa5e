// Removes the rows of what has ended long ago.
import type { Transaction } from "../../platform/database/database.ts";
import { name, type Sql, sql } from "../../platform/database/sql.ts";

const take = (transaction: Transaction, table: Sql, before: string, most: number): Promise<number> =>
  transaction.run(
    sql`delete from ${table} where id in
          (select id from ${table} where expires_at < ${before} order by expires_at limit ${most})`,
  );

/** @returns how many rows went */
export const removeEndedSessions = (transaction: Transaction, before: string, most: number): Promise<number> =>
  take(transaction, name("person_sessions"), before, most);

export const removeEndedVerifications = (transaction: Transaction, before: string, most: number): Promise<number> =>
  take(transaction, name("person_verifications"), before, most);

/** Invitations that nobody can use any more, whether somebody did or not: who became a member stands in the audit log. */
export const removeEndedInvitations = (transaction: Transaction, before: string, most: number): Promise<number> =>
  take(transaction, name("invitations"), before, most);

/** Access tokens that open nothing any more. */
export const removeEndedTokens = (transaction: Transaction, before: string, most: number): Promise<number> =>
  take(transaction, name("access_tokens"), before, most);
