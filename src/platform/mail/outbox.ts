// Mail is written in the transaction that it tells of, and sent by a round afterwards: what was rolled back is never mailed, and what was
// committed is.
import type { Transaction } from "../database/database.ts";

export interface Mail {
  readonly recipient: string;
  readonly subject: string;
  /** Plain text. */
  readonly body: string;
}

/** Only where mail is set: nothing would ever send it otherwise. */
export const queueMail = (transaction: Transaction, { recipient, subject, body }: Mail): void =>
  transaction.insert("mails", [
    {
      ...{ id: transaction.newId(), recipient, subject, body, tries: 0 },
      created_at: transaction.now,
      next_try_at: transaction.now,
    },
  ]);

const shownLengthMax = 100;

/** A name that somebody chose, as it may stand in a mail: one short line that can not pass for text of ours. */
export const oneLine = (text: string): string => {
  const flat = text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
  return [...flat].length > shownLengthMax ? `${[...flat].slice(0, shownLengthMax - 1).join("")}…` : flat;
};
