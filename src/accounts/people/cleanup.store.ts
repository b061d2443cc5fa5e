// Deletes the rows of expired sessions, verifications, invitations and tokens.
import type { Transaction } from "../../platform/database/database.ts";
import { name, type Sql, sql } from "../../platform/database/sql.ts";

const deleteExpired = (transaction: Transaction, table: Sql, before: string, limit: number): Promise<number> =>
  transaction.run(
    sql`delete from ${table} where id in
          (select id from ${table} where expires_at < ${before} order by expires_at limit ${limit})`,
  );

/** @returns how many rows were deleted */
export const deleteExpiredSessions = (transaction: Transaction, before: string, limit: number): Promise<number> =>
  deleteExpired(transaction, name("person_sessions"), before, limit);

export const deleteExpiredVerifications = (transaction: Transaction, before: string, limit: number): Promise<number> =>
  deleteExpired(transaction, name("person_verifications"), before, limit);

export const deleteExpiredAttempts = (transaction: Transaction, before: string, limit: number): Promise<number> =>
  deleteExpired(transaction, name("sign_in_attempts"), before, limit);

/** Deletes expired invitations, accepted ones too: the audit log says who became a member. */
export const deleteExpiredInvitations = (transaction: Transaction, before: string, limit: number): Promise<number> =>
  deleteExpired(transaction, name("invitations"), before, limit);

export const deleteExpiredTokens = (transaction: Transaction, before: string, limit: number): Promise<number> =>
  deleteExpired(transaction, name("access_tokens"), before, limit);
