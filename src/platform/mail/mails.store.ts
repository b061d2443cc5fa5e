// The rows of mails, from queueing to removal.
import type { Transaction } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export interface MailRow {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  readonly created_at: string;
  readonly tries: number;
}

/** The mails that are due, the oldest due time first. */
export const listDueMails = (transaction: Transaction, limit: number): Promise<MailRow[]> =>
  transaction.all<MailRow>(
    sql`select id, recipient, subject, body, created_at, tries from mails
        where sent_at is null and given_up_at is null and next_try_at <= ${transaction.now}
        order by next_try_at, id limit ${limit}`,
  );

/** Counts a try and sets the time of the next. @returns false when another node was first */
export async function claimMail(transaction: Transaction, mail: MailRow, nextTryAt: string): Promise<boolean> {
  const changed = await transaction.run(
    sql`update mails set tries = tries + 1, next_try_at = ${nextTryAt}
        where id = ${mail.id} and tries = ${mail.tries} and sent_at is null and given_up_at is null`,
  );
  return changed === 1;
}

// A body may hold a link that grants access, so it is removed as soon as the mail is done.
export const markSent = (transaction: Transaction, id: string): void =>
  transaction.send(sql`update mails set sent_at = ${transaction.now}, body = '' where id = ${id}`);

export const markGivenUp = (transaction: Transaction, id: string): void =>
  transaction.send(sql`update mails set given_up_at = ${transaction.now}, body = '' where id = ${id}`);

/** Removes mails queued before a time, at most `limit`. @returns how many were removed */
export const removeMailsBefore = (transaction: Transaction, moment: string, limit: number): Promise<number> =>
  transaction.run(
    sql`delete from mails where id in (select id from mails where created_at < ${moment} order by id limit ${limit})`,
  );
