// Sends the mails that wait, in rounds: each by one node, again after growing delays, and given up after some days.

import type { Database } from "../database/database.ts";
import { startRounds, type Wait } from "../jobs.ts";
import type { Log } from "../log.ts";
import { addDays, addMinutes, minuteMilliseconds } from "../time.ts";
import { claimMail, listDueMails, type MailRow, markGivenUp, markSent, removeMailsBefore } from "./mails.store.ts";
import { MailFailure, type SendMail } from "./transport.ts";

const roundEverySeconds = 5;
const mailsAtOnce = 20;
/** After so many tries the last one holds. */
const delaysMinutes = [1, 5, 15, 60, 180, 360] as const;
const givenUpAfterDays = 3;
const keptDays = 30;
const removedAtOnce = 500;
const removedEveryMinutes = 60;

export interface Sending {
  readonly database: Database;
  readonly log: Log;
  readonly send: SendMail;
}

/** @returns what ends it: a mail that is under way then is tried again by the next start */
export function startSender(sending: Sending, waitFor?: Wait): () => Promise<void> {
  const stopping = new AbortController();
  let removedAt = Number.NEGATIVE_INFINITY;
  const stopRounds = startRounds(
    {
      firstAfterSeconds: roundEverySeconds,
      everySeconds: roundEverySeconds,
      round: async () => {
        await sendDueMails(sending, stopping.signal);
        if (performance.now() < removedAt + removedEveryMinutes * minuteMilliseconds) return;
        await removeOldMails(sending.database);
        removedAt = performance.now();
      },
      onFailure: (cause) =>
        sending.log.write("error", "mails could not be sent", { cause: cause instanceof Error ? cause.name : "" }),
    },
    waitFor,
  );
  return () => {
    stopping.abort();
    return stopRounds();
  };
}

/** One round. Ends early where the server itself does not answer: what else waits would fare the same. */
export async function sendDueMails({ database, log, send }: Sending, signal: AbortSignal): Promise<void> {
  for (const mail of await database.read((transaction) => listDueMails(transaction, mailsAtOnce))) {
    if (signal.aborted) return;
    const isOurs = await database.transaction((transaction) =>
      claimMail(transaction, mail, addMinutes(transaction.now, delayMinutes(mail.tries))),
    );
    if (!isOurs) continue;
    const failure = await send(mail, signal).then(
      () => undefined,
      (error: unknown) => (error instanceof MailFailure ? error : new MailFailure("EUNKNOWN", undefined)),
    );
    if (signal.aborted && failure) return;
    await database.transaction(async (transaction) => {
      if (!failure) markSent(transaction, mail.id);
      else if (isHopeless(mail, failure, transaction.now)) markGivenUp(transaction, mail.id);
    });
    if (!failure) continue;
    log.write("warn", "a mail could not be sent", {
      mail: mail.id,
      tries: mail.tries + 1,
      code: failure.code,
      status: failure.status,
    });
    if (!failure.isAboutMail) return;
  }
}

/** Before the next try, after so many that went before this one. */
const delayMinutes = (tries: number): number => delaysMinutes[Math.min(tries, delaysMinutes.length - 1)] ?? 0;

const isHopeless = (mail: MailRow, failure: MailFailure, now: string): boolean =>
  failure.isFinal || addDays(mail.created_at, givenUpAfterDays) <= now;

async function removeOldMails(database: Database): Promise<void> {
  await database.transaction((transaction) =>
    removeMailsBefore(transaction, addDays(transaction.now, -keptDays), removedAtOnce),
  );
}
