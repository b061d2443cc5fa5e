// Sends the mails that are due: each by one node, again after growing delays, and given up after some days.

import type { Database } from "../database/database.ts";
import type { Log } from "../log.ts";
import { addDays, addMinutes } from "../time.ts";
import { claimMail, listDueMails, type MailRow, markGivenUp, markSent } from "./mails.store.ts";
import { MailFailure, type SendMail } from "./transport.ts";

const mailsAtOnce = 20;
/** After so many tries the last one holds. */
const delaysMinutes = [1, 5, 15, 60, 180, 360] as const;
const givenUpAfterDays = 3;

export interface Sending {
  readonly database: Database;
  readonly log: Log;
  readonly send: SendMail;
}

/**
 * Sends what is due once. Ends early where the server itself does not answer: the other mails would fare the same.
 * @returns how many mails were sent
 */
export async function sendDueMails({ database, log, send }: Sending, signal: AbortSignal): Promise<number> {
  let sent = 0;
  for (const mail of await database.read((transaction) => listDueMails(transaction, mailsAtOnce))) {
    if (signal.aborted) return sent;
    const isOurs = await database.transaction((transaction) =>
      claimMail(transaction, mail, addMinutes(transaction.now, delayMinutes(mail.tries))),
    );
    if (!isOurs) continue;
    const failure = await send(mail, signal).then(
      () => undefined,
      (error: unknown) => (error instanceof MailFailure ? error : new MailFailure("EUNKNOWN", undefined)),
    );
    if (signal.aborted && failure) return sent;
    await database.transaction(async (transaction) => {
      if (!failure) markSent(transaction, mail.id);
      else if (isHopeless(mail, failure, transaction.now)) markGivenUp(transaction, mail.id);
    });
    if (!failure) {
      sent += 1;
      continue;
    }
    log.write("warn", "a mail could not be sent", {
      mail: mail.id,
      tries: mail.tries + 1,
      code: failure.code,
      status: failure.status,
    });
    if (!failure.isAboutMail) break;
  }
  return sent;
}

/** Before the next try, after so many that went before this one. */
const delayMinutes = (tries: number): number => delaysMinutes[Math.min(tries, delaysMinutes.length - 1)] ?? 0;

const isHopeless = (mail: MailRow, failure: MailFailure, now: string): boolean =>
  failure.isFinal || addDays(mail.created_at, givenUpAfterDays) <= now;
