// Warnings by mail 14 and 3 days before a key expires, each once for each end that the key is given.
import { limits } from "../../contract/limits.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import type { YieldToCalls } from "../../platform/jobs.ts";
import { oneLine, queueMail } from "../../platform/mail/outbox.ts";
import { addDays, dayInWords } from "../../platform/time.ts";
import { listAdministrators } from "../billing/warnings.store.ts";
import * as store from "./expiry.store.ts";

const soonDays = 3;
/** The days before the end, each with those at which the next warning follows. */
const stages = [
  { days: limits.keyExpiryNoticeDays, untilDays: soonDays },
  { days: soonDays, untilDays: 0 },
] as const;

const keysAtOnce = 256;

/** Keys that expire within days, for the metrics. */
export const countExpiringSoon = (transaction: Transaction): Promise<number> =>
  store.countExpiring(transaction, { from: transaction.now, to: addDays(transaction.now, soonDays) });

/** Queues the mails that are due. @param origin for the link in the mail @returns how many keys were announced */
export async function warnOfExpiries(
  database: Database,
  origin: string,
  yieldToCalls: YieldToCalls = async () => true,
): Promise<number> {
  let sent = 0;
  for (const { days, untilDays } of stages) {
    let portion = keysAtOnce;
    while (portion === keysAtOnce && (await yieldToCalls())) {
      const keys = await database.read((transaction) => {
        const time = { from: addDays(transaction.now, untilDays), to: addDays(transaction.now, days) };
        return store.listUnwarned(transaction, days, time, keysAtOnce);
      });
      for (const key of keys)
        if (await database.transaction((transaction) => warn(transaction, key, days, origin))) sent += 1;
      portion = keys.length;
    }
  }
  return sent;
}

/** @returns whether mail was queued. A key that was created later than the warning is due is not announced. */
async function warn(transaction: Transaction, key: store.ExpiringKey, days: number, origin: string): Promise<boolean> {
  if (!(await store.insertWarning(transaction, key, days))) return false;
  if (key.created_at > addDays(key.expires_at, -days)) return false;
  const mail = mailOf(key, `${origin}/console/w/${key.workspace_id}/keys`);
  for (const recipient of await listAdministrators(transaction, key.workspace_id))
    queueMail(transaction, { recipient, ...mail });
  return true;
}

function mailOf(key: store.ExpiringKey, link: string) {
  const [workspace, name] = [oneLine(key.workspace_name), oneLine(key.name)];
  const end = `${dayInWords(key.expires_at)} at ${key.expires_at.slice(11, 16)} UTC`;
  return {
    subject: `${workspace}: the API key “${name}” expires on ${dayInWords(key.expires_at)}`,
    body: [
      "Hello,",
      "",
      `The API key “${name}” of the workspace “${workspace}” expires on ${end}.`,
      "",
      "From then on, requests with this key are refused with status 401.",
      "To keep this key working, change its last day. Or create another key to replace it:",
      link,
      "",
      "You received this email because you are an owner or admin of the workspace.",
      "",
    ].join("\n"),
  };
}
