// Queues mail in the transaction that causes it; the mail job sends it afterwards. So mail is sent exactly for what was committed.
import type { Transaction } from "../database/database.ts";

export interface Mail {
  readonly recipient: string;
  readonly subject: string;
  /** Plain text. */
  readonly body: string;
}

/** Queues a mail. Only for instances with mail settings: nothing would send it otherwise. */
export const queueMail = (transaction: Transaction, { recipient, subject, body }: Mail): void =>
  transaction.insert("mails", [
    {
      id: transaction.newId(),
      recipient,
      subject,
      body,
      tries: 0,
      created_at: transaction.now,
      next_try_at: transaction.now,
    },
  ]);

const shownLengthMax = 100;

/** A name that a user chose, made safe for a mail: one short line that cannot pass for our text. */
export const oneLine = (text: string): string => {
  const line = text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
  return [...line].length > shownLengthMax ? `${[...line].slice(0, shownLengthMax - 1).join("")}…` : line;
};
