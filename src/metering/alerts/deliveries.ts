// Deliveries to webhooks: queued in the transaction that raises the alert, and sent afterwards by one node at a time. Each is sent at least
// once; its ID, which all attempts have, shows a repetition.
import { type AlertType, type DeliveryFailure, deliveryFailures } from "../../contract/console/alerts.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import { unseal } from "../../platform/secrets/sealed-text.ts";
import { addDays, addHours, addMinutes } from "../../platform/time.ts";
import * as store from "./deliveries.store.ts";
import { findSettings, type SettingsRow } from "./settings.store.ts";
import { signatureHeaders } from "./signature.ts";

/** @returns the status of the response. @throws PostFailed when there is none */
export type Post = (url: string, body: string, headers: Readonly<Record<string, string>>) => Promise<number>;

/** There was no response. Holds no text of the other side. */
export class PostFailed extends Error {
  override name = "PostFailed";
  constructor(readonly reason: DeliveryFailure) {
    super(reason);
  }
}

const atOnce = 20;
/** So that a slow receiver does not keep the others waiting. */
const ofWorkspaceAtOnce = 5;
/** Before each retry; the last delay repeats. The first is longer than an attempt takes, so that no two nodes send at once. */
const delaysMinutes = [1, 5, 15, 30, 60, 120, 240] as const;
const givenUpAfterHours = 24;
const keptDays = 30;
const removedAtOnce = 200;

/** Queues an alert. Only for workspaces with a webhook. */
export function queueDelivery(
  transaction: Transaction,
  { id: workspaceId, name }: { readonly id: string; readonly name: string },
  type: AlertType,
  data: Readonly<Record<string, unknown>>,
): void {
  const [id, now] = [transaction.newId(), transaction.now];
  transaction.insert("webhook_deliveries", [
    {
      workspace_id: workspaceId,
      id,
      type,
      body: JSON.stringify({ type, timestamp: now, workspace: { id: workspaceId, name }, data }),
      state: "waiting",
      tries: 0,
      created_at: now,
      next_try_at: now,
      // A test is not repeated.
      give_up_at: type === "test" ? now : giveUpAt(now),
    },
  ]);
}

/** When a delivery that is queued now is given up. */
export const giveUpAt = (now: string): string => addHours(now, givenUpAfterHours);

/** What became of an attempt: `refused` is a status other than 2xx, `no_webhook` is no attempt. */
export const attemptOutcomes = [
  "delivered",
  "refused",
  ...deliveryFailures.filter((one) => one !== "no_webhook"),
] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** Receives each outcome. It must be quick, and must not throw. */
export interface DeliveryObserver {
  attempted(outcome: AttemptOutcome): void;
}

export interface Delivering {
  readonly database: Database;
  readonly log: Log;
  readonly post: Post;
  /** Opens the secrets of webhooks. */
  readonly sealingKey: Buffer;
  readonly observer?: DeliveryObserver | undefined;
}

/** Sends each delivery that is due once. @returns how many were accepted */
export async function sendDueDeliveries(delivering: Delivering, signal: AbortSignal): Promise<number> {
  let delivered = 0;
  for (let portion = atOnce; portion === atOnce && !signal.aborted; ) {
    const due = await delivering.database.read((transaction) => store.listDue(transaction, atOnce, ofWorkspaceAtOnce));
    const outcomes = await Promise.all(due.map((delivery) => attempt(delivering, delivery)));
    delivered += outcomes.filter((isDelivered) => isDelivered).length;
    portion = due.length;
  }
  return delivered;
}

async function attempt(delivering: Delivering, delivery: store.DueDelivery): Promise<boolean> {
  const { database, log, post, sealingKey, observer } = delivering;
  const { id, workspace_id, body, tries, give_up_at } = delivery;
  const claimed = await database.transaction(async (transaction) => {
    const nextTryAt = addMinutes(transaction.now, delayMinutes(tries));
    const settings = await findSettings(transaction, workspace_id);
    const isOurs = await store.claimDelivery(transaction, delivery, nextTryAt);
    return isOurs ? { settings, now: transaction.now, isLast: nextTryAt > give_up_at } : undefined;
  });
  if (!claimed) return false;
  const { settings, now, isLast } = claimed;
  const { status, failure } = await (settings?.webhook_url
    ? post(settings.webhook_url, body, signatureHeaders(secretsOf(settings, now, sealingKey), id, body, now))
    : Promise.reject(new PostFailed("no_webhook"))
  ).then(
    (status) => ({ status, failure: null }),
    (error: unknown) => {
      if (error instanceof PostFailed) return { status: null, failure: error.reason };
      throw error;
    },
  );
  const isDelivered = status !== null && status >= 200 && status <= 299;
  if (failure !== "no_webhook") observer?.attempted(failure ?? (isDelivered ? "delivered" : "refused"));
  const state = isDelivered ? "delivered" : isLast || failure === "no_webhook" ? "failed" : "waiting";
  await database.transaction(async (transaction) =>
    store.finishAttempt(transaction, delivery, { state, status, failure }),
  );
  if (!isDelivered) log.write("warn", "webhook not delivered", { deliveryId: id, tries: tries + 1, status, failure });
  return isDelivered;
}

/** The delay before the next attempt. */
const delayMinutes = (tries: number): number => delaysMinutes[Math.min(tries, delaysMinutes.length - 1)] ?? 0;

/** The secrets that sign: the present one, and the one before it while that is valid. */
function secretsOf(
  { webhook_secret_sealed, former_secret_sealed, former_secret_until }: SettingsRow,
  now: string,
  key: Buffer,
): string[] {
  const isFormerValid = former_secret_until !== null && former_secret_until > now;
  return [webhook_secret_sealed, isFormerValid ? former_secret_sealed : null]
    .filter((sealed) => sealed !== null)
    .map((sealed) => unseal(sealed, key));
}

/** A webhook that has not accepted anything for this long is reported to the operator. */
const failingHours = 1;

export interface FailingWebhook {
  readonly workspace: { readonly id: string; readonly name: string };
  /** Without the path, which may hold a secret. */
  readonly host: string;
  /** When the first alert was queued that it did not accept. */
  readonly since: string;
  readonly status: number | null;
  readonly failure: DeliveryFailure | null;
}

/** The webhooks that keep refusing what is sent to them, the longest first. */
export async function listFailingWebhooks(transaction: Transaction): Promise<FailingWebhook[]> {
  const { now } = transaction;
  const rows = await store.listFailing(transaction, {
    queuedBefore: addHours(now, -failingHours),
    triedSince: addHours(now, -givenUpAfterHours),
  });
  const byWorkspace = [...Map.groupBy(rows, ({ workspace_id }) => workspace_id).values()];
  return byWorkspace
    .flatMap((failed) => {
      const [oldest, newest] = [failed[0], failed.at(-1)];
      if (!oldest || !newest) return [];
      const { workspace_id: id, workspace_name: name, webhook_url, created_at: since } = oldest;
      const host = new URL(webhook_url).host;
      return { workspace: { id, name }, host, since, status: newest.last_status, failure: newest.last_failure };
    })
    .sort((one, other) => (one.since < other.since ? -1 : 1));
}

/** Removes some deliveries whose time is over. @returns how many */
export const removeOldDeliveries = (database: Database): Promise<number> =>
  database.transaction((transaction) =>
    store.removeDeliveriesBefore(transaction, addDays(transaction.now, -keptDays), removedAtOnce),
  );
