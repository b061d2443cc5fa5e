// Sends the mails that are due. Each is claimed by one node, retried with growing delays, and given up after some days.

import type { Database } from "../database/database.ts";
import type { Log } from "../log.ts";
import { addDays, addMinutes } from "../time.ts";
import { claimMail, listDueMails, type MailRow, markGivenUp, markSent } from "./mails.store.ts";
import { MailFailure, type SendMail } from "./transport.ts";

const mailsAtOnce = 20;
/** Before each retry; the last delay repeats. */
const delaysMinutes = [1, 5, 15, 60, 180, 360] as const;
const givenUpAfterDays = 3;

export interface Sending {
  readonly database: Database;
  readonly log: Log;
  readonly send: SendMail;
}

/**
 * Sends each mail that is due once. Ends early when the server itself fails, because the other mails would fail too.
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
      else if (isGivenUp(mail, failure, transaction.now)) markGivenUp(transaction, mail.id);
    });
    if (!failure) {
      sent += 1;
      continue;
    }
    log.write("warn", "email not sent", {
      mailId: mail.id,
      tries: mail.tries + 1,
      code: failure.code,
      status: failure.status,
    });
    if (!failure.isAboutMail) break;
  }
  return sent;
}

/** The delay before the next try. */
const delayMinutes = (tries: number): number => delaysMinutes[Math.min(tries, delaysMinutes.length - 1)] ?? 0;

const isGivenUp = (mail: MailRow, failure: MailFailure, now: string): boolean =>
  failure.isFinal || addDays(mail.created_at, givenUpAfterDays) <= now;
