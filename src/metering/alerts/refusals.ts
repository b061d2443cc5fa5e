// Alerts about keys with many refused requests: at most one per key and hour, and ten per workspace and hour. Requests are counted by minute, so that the time is that of
// the current minute and the nine before it.
import type { Database, Transaction } from "../../platform/database/database.ts";
import type { YieldToCalls } from "../../platform/jobs.ts";
import { oneLine } from "../../platform/mail/outbox.ts";
import { addMinutes, minuteOf } from "../../platform/time.ts";
import { statusOf } from "../usage/refusals.ts";
import { type Alert, type AlertContext, raiseAlert } from "./raise.ts";
import * as store from "./refusals.store.ts";

const windowMinutes = 10;
const pauseMinutes = 60;
/** Where all keys of a workspace are refused at once, ten alerts say enough. */
const ofWorkspaceMax = 10;
const keysAtOnce = 256;

/** Raises the alerts that are due. @returns how many keys were announced */
export async function warnOfRefusals(
  database: Database,
  context: AlertContext,
  yieldToCalls: YieldToCalls = async () => true,
): Promise<number> {
  let sent = 0;
  let portion = keysAtOnce;
  while (portion === keysAtOnce && (await yieldToCalls())) {
    const keys = await database.read((transaction) => {
      const sinceMinute = windowStart(transaction.now);
      return store.listRefusedKeys(
        transaction,
        { sinceMinute, hasMail: context.hasMail, ...pauseAt(transaction.now) },
        keysAtOnce,
      );
    });
    for (const key of keys) if (await database.transaction((transaction) => warn(transaction, key, context))) sent += 1;
    portion = keys.length;
  }
  return sent;
}

const pauseAt = (now: string): store.Pause => ({ alertedSince: addMinutes(now, -pauseMinutes), ofWorkspaceMax });

const windowStart = (now: string): string => addMinutes(minuteOf(now), 1 - windowMinutes);

/** @returns whether an alert was raised */
async function warn(transaction: Transaction, key: store.RefusedKey, context: AlertContext): Promise<boolean> {
  if (!(await store.recordRefusalAlert(transaction, key, pauseAt(transaction.now)))) return false;
  const reasons = await store.countReasons(transaction, key, windowStart(transaction.now));
  await raiseAlert(transaction, alertOf(key, reasons, context.origin), context);
  return true;
}

/** What each status means, without the details that the request log has. */
const meanings: Readonly<Record<number, string>> = {
  401: "the key or its secret no longer works",
  403: "the key does not allow the request, the subscription is inactive, or there are not enough units or not enough storage left",
  429: "the rate limit was exceeded",
};

function alertOf(key: store.RefusedKey, reasons: readonly store.ReasonCount[], origin: string): Alert {
  const [workspace, name] = [oneLine(key.workspace_name), oneLine(key.name)];
  const byStatus = new Map<number, number>();
  for (const { reason, requests } of reasons)
    byStatus.set(statusOf(reason), (byStatus.get(statusOf(reason)) ?? 0) + requests);
  const refusals = [...byStatus]
    .sort(([left], [right]) => left - right)
    .map(([status, requests]) => ({ status, requests }));
  const requests = refusals.reduce((sum, { requests }) => sum + requests, 0);
  return {
    type: "key.refused",
    workspace: { id: key.workspace_id, name: key.workspace_name },
    data: { key: { id: key.id, name: key.name }, minutes: windowMinutes, requests, refusals },
    subject: `${workspace}: the API key “${name}” has many refused requests`,
    lines: [
      `In the last ${windowMinutes} minutes, ${number(requests)} requests made with the API key “${name}” in the workspace “${workspace}” were refused:`,
      "",
      ...refusals.map(
        ({ status, requests }) => `- ${number(requests)} with status ${status}: ${meanings[status] ?? "refused"}`,
      ),
      "",
      "See them in the request log:",
      `${origin}/console/w/${key.workspace_id}/log?keyId=${key.id}`,
      "",
      "You will not receive another alert about this key's refused requests for the next hour.",
    ],
  };
}

const number = (value: number): string => value.toLocaleString("en-US");
