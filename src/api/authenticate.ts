// Who is it: the key of a call → the caller, in the call's own transaction. Nothing that decides here is kept between calls.
import type { Caller } from "../library/call.ts";
import {
  type AdmissionRow,
  countCall,
  findAdmittedAt,
  findReplacement,
  type Replacement,
  teamsOf,
} from "../metering/keys/keys.store.ts";
import { isFull, type RateWindow, windowOf, withThisCall } from "../metering/keys/rate-limit.ts";
import { balanceOf } from "../metering/quota/quota.ts";
import type { Transaction } from "../platform/database/database.ts";
import { monthOf } from "../platform/time.ts";

/** The token of an `Authorization: Bearer …` header, undefined where there is none. */
export const bearerToken = (authorization: string | null): string | undefined =>
  /^Bearer +(\S.*)$/i.exec(authorization ?? "")?.[1]?.trim();

/**
 * By which secret a call asks to come in: the one that it shows, or where that was replaced by a rotation, the one that has followed it,
 * for as long as both open.
 */
export type Entrance = { readonly secretHash: string; readonly until?: undefined } | Replacement;

/** What the gate says: no such active key; ask again by the secret that has followed; too many calls; or come in. */
export type Admission = { readonly kind: "unknown" } | Replaced | Limited | Admitted;

export interface Replaced {
  readonly kind: "replaced";
  readonly entrance: Replacement;
}

export interface Limited {
  readonly kind: "limited";
  readonly window: RateWindow;
  readonly now: string;
}

export interface Admitted {
  readonly kind: "admitted";
  readonly caller: Caller;
  readonly window: RateWindow;
  readonly now: string;
  /** The call's number among the key's admitted calls. */
  readonly keyCall: number;
  readonly isSubscriptionActive: boolean;
}

/** What the gate would say now, without counting the call: enough to refuse a large body before it is read. */
export async function look(transaction: Transaction, row: AdmissionRow | undefined, entrance: Entrance, limit: number) {
  if (!row) return refuse(transaction, entrance);
  if (entrance.until !== undefined && entrance.until <= transaction.now) return { kind: "unknown" } as const;
  // Calls are numbered, so the first one in the window also says how many there were since.
  const used = row.oldest_call === null ? 0 : row.call_count - row.oldest_call + 1;
  const window: RateWindow = { limit, used, oldestAt: row.oldest_at ?? undefined };
  if (!isFull(window)) return { kind: "open", row, window } as const;
  // More than the limit are in the window where the limit was lowered: then several have to leave.
  const isLowered = used > limit;
  const oldestAt = isLowered
    ? await findAdmittedAt(transaction, row, windowOf(transaction.now), used - limit)
    : window.oldestAt;
  return { kind: "limited", window: { ...window, oldestAt }, now: transaction.now } as const;
}

/**
 * Only a call that would be refused anyway asks whether its secret was replaced: all others come in as cheaply as before. It then opens
 * another transaction by the secret that has followed, which locks the key and reads the time as every call does.
 */
async function refuse(transaction: Transaction, entrance: Entrance): Promise<Replaced | { readonly kind: "unknown" }> {
  const replacement =
    entrance.until === undefined ? await findReplacement(transaction, entrance.secretHash) : undefined;
  return replacement ? { kind: "replaced", entrance: replacement } : { kind: "unknown" };
}

/** Lets a call in and counts it, or says why not. `row` is what the transaction's opening saw: see `admissionOf`. */
export async function admit(
  transaction: Transaction,
  row: AdmissionRow | undefined,
  entrance: Entrance,
  limit: number,
): Promise<Admission> {
  const seen = await look(transaction, row, entrance, limit);
  if (seen.kind !== "open") return seen;
  const { workspace_id: workspaceId, id, is_all_teams, call_count, subscription, newest_month } = seen.row;
  countCall(transaction, workspaceId, id);
  if (newest_month !== monthOf(transaction.now)) await balanceOf(transaction, workspaceId);
  return {
    kind: "admitted",
    caller: { id, workspaceId, isAllTeams: Boolean(is_all_teams), teamIds: new Set(teamsOf(seen.row)) },
    window: withThisCall(seen.window, transaction.now),
    now: transaction.now,
    keyCall: call_count + 1,
    isSubscriptionActive: subscription === "active",
  };
}
