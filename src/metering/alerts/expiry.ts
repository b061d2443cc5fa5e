// Alerts 14 and 3 days before a key expires, each once for each end that the key is given.
import { limits } from "../../contract/limits.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import type { YieldToCalls } from "../../platform/jobs.ts";
import { oneLine } from "../../platform/mail/outbox.ts";
import { addDays, dayInWords } from "../../platform/time.ts";
import * as store from "./expiry.store.ts";
import { type Alert, type AlertContext, raiseAlert } from "./raise.ts";

const soonDays = 3;
/** The days before the end, each with those at which the next alert follows. */
const stages = [
  { days: limits.keyExpiryNoticeDays, untilDays: soonDays },
  { days: soonDays, untilDays: 0 },
] as const;

const keysAtOnce = 256;

/** Keys that expire within days, for the metrics. */
export const countExpiringSoon = (transaction: Transaction): Promise<number> =>
  store.countExpiring(transaction, { from: transaction.now, to: addDays(transaction.now, soonDays) });

/** Raises the alerts that are due. @returns how many keys were announced */
export async function warnOfExpiries(
  database: Database,
  context: AlertContext,
  yieldToCalls: YieldToCalls = async () => true,
): Promise<number> {
  let sent = 0;
  for (const { days, untilDays } of stages) {
    let portion = keysAtOnce;
    while (portion === keysAtOnce && (await yieldToCalls())) {
      const keys = await database.read((transaction) => {
        const time = { from: addDays(transaction.now, untilDays), to: addDays(transaction.now, days) };
        return store.listUnwarned(transaction, days, time, context.hasMail, keysAtOnce);
      });
      for (const key of keys)
        if (await database.transaction((transaction) => warn(transaction, key, days, context))) sent += 1;
      portion = keys.length;
    }
  }
  return sent;
}

/** @returns whether an alert was raised. A key that was created later than the alert is due is not announced. */
async function warn(
  transaction: Transaction,
  key: store.ExpiringKey,
  days: number,
  context: AlertContext,
): Promise<boolean> {
  if (!(await store.insertWarning(transaction, key, days))) return false;
  if (key.created_at > addDays(key.expires_at, -days)) return false;
  await raiseAlert(transaction, alertOf(key, days, context.origin), context);
  return true;
}

function alertOf(key: store.ExpiringKey, days: number, origin: string): Alert {
  const [workspace, name] = [oneLine(key.workspace_name), oneLine(key.name)];
  const end = `${dayInWords(key.expires_at)} at ${key.expires_at.slice(11, 16)} UTC`;
  return {
    type: "key.expiring",
    workspace: { id: key.workspace_id, name: key.workspace_name },
    data: { key: { id: key.id, name: key.name }, days, expires_at: key.expires_at },
    subject: `${workspace}: the API key “${name}” expires on ${dayInWords(key.expires_at)}`,
    lines: [
      `The API key “${name}” in the workspace “${workspace}” expires on ${end}.`,
      "",
      "After that, requests with this key are refused with status 401.",
      "To keep this key working, change its expiration date, or create another key to replace it:",
      `${origin}/console/w/${key.workspace_id}/keys`,
    ],
  };
}
