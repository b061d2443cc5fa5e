// Who is it: the key of a call → the caller, in the call's own transaction. Nothing that decides here is kept between calls.
import type { Caller } from "../call.ts";
import type { Transaction } from "../database/database.ts";
import { countCall, findAdmission, findAdmittedAt, findKeyTeams } from "../keys/keys.store.ts";
import { isFull, type RateWindow, windowStart, withThisCall } from "../keys/rate-limit.ts";
import { balanceOf, monthOf } from "../quota/quota.ts";

/** The token of an `Authorization: Bearer …` header, undefined where there is none. */
export const bearerToken = (authorization: string | null): string | undefined =>
  /^Bearer +(\S.*)$/i.exec(authorization ?? "")?.[1]?.trim();

/** What the gate says: no such active key; too many calls; or come in. */
export type Admission = { readonly kind: "unknown" } | Limited | Admitted;

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
export async function look(transaction: Transaction, secretHash: string, limit: number) {
  const { now } = transaction;
  const span = { from: windowStart(now), to: now };
  const row = await findAdmission(transaction, secretHash, monthOf(now), span);
  if (!row) return { kind: "unknown" } as const;

  const isEmpty = row.oldest_call === null || row.newest_call === null;
  const used = isEmpty ? 0 : Number(row.newest_call) - Number(row.oldest_call) + 1;
  const window: RateWindow = { limit, used, oldestAt: row.oldest_at ?? undefined };
  if (!isFull(window)) return { kind: "open", row, window } as const;
  // More than the limit are in the window where the limit was lowered: then several have to leave.
  const oldestAt = await findAdmittedAt(transaction, row, span, used - limit);
  return { kind: "limited", window: { ...window, oldestAt }, now } as const;
}

/** Lets a call in and counts it, or says why not. */
export async function admit(transaction: Transaction, secretHash: string, limit: number): Promise<Admission> {
  const seen = await look(transaction, secretHash, limit);
  if (seen.kind !== "open") return seen;
  const { row, window } = seen;
  await countCall(transaction, row.workspace_id, row.id);
  if (row.balance === null) await balanceOf(transaction, row.workspace_id);
  const isAllTeams = Boolean(row.is_all_teams);
  const teamIds = isAllTeams ? [] : await findKeyTeams(transaction, row.workspace_id, row.id);
  return {
    kind: "admitted",
    caller: { id: row.id, workspaceId: row.workspace_id, isAllTeams, teamIds: new Set(teamIds) },
    window: withThisCall(window, transaction.now),
    now: transaction.now,
    keyCall: Number(row.call_count) + 1,
    isSubscriptionActive: row.subscription === "active",
  };
}
