// Who is calling: the key of a call → the caller, in the call's own transaction. No decision is kept between calls.
import { errors } from "../contract/errors.ts";
import type { Caller } from "../library/call.ts";
import { type AdmissionRow, countCall, findAdmittedAt, findKeyOfSecret, teamsOf } from "../metering/keys/keys.store.ts";
import { isFull, type RateWindow, windowOf, withThisCall } from "../metering/keys/rate-limit.ts";
import type { RefusedRequest } from "../metering/keys/refused-requests.ts";
import { isSecret } from "../metering/keys/secret.ts";
import { openMonth } from "../metering/quota/quota.ts";
import type { Transaction } from "../platform/database/database.ts";
import { bearerToken } from "../platform/http/bearer-token.ts";
import { hashSecret } from "../platform/secrets/secrets.ts";
import { monthOf } from "../platform/time.ts";

/** The secret that a call presents, by its hash; after a rotation, the one that replaced it, for as long as both are accepted. */
export interface PresentedKey {
  readonly secretHash: string;
  /** When the presented secret ends, because a rotation replaced it; undefined for the key's current secret. */
  readonly previousSecretUntil?: string;
}

/** @throws Refusal 401 where the header has no well-formed key */
export function presentedKey(authorization: string | null): PresentedKey {
  const token = bearerToken(authorization);
  if (token === undefined) throw errors.authorizationMissing();
  if (!isSecret(token)) throw errors.keyInvalid();
  return { secretHash: hashSecret(token) };
}

/** No active key; a key whose secret was rotated; too many calls; or the caller. */
export type Admission = Unknown | Rotated | Limited | Admitted;

interface Unknown {
  readonly kind: "unknown";
  /** Where the key is known nevertheless. */
  readonly refused?: RefusedRequest;
}

interface Rotated {
  readonly kind: "rotated";
  readonly current: PresentedKey;
}

export interface Limited {
  readonly kind: "limited";
  readonly refused: RefusedRequest;
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

/**
 * Admits a call and counts it, or says why not (decisions, sections 6 and 8).
 * @param row what the opening of the transaction read: see `admissionOf`
 * @param limit admitted calls in any 60 seconds
 */
export async function admit(
  transaction: Transaction,
  row: AdmissionRow | undefined,
  key: PresentedKey,
  limit: number,
): Promise<Admission> {
  const checked = await checkKey(transaction, row, key, limit);
  if (checked.kind !== "open") return checked;
  const { workspace_id: workspaceId, id, is_all_teams, call_count, subscription, newest_month } = checked.row;
  countCall(transaction, workspaceId, id);
  if (newest_month !== monthOf(transaction.now)) await openMonth(transaction, workspaceId);
  return {
    kind: "admitted",
    caller: { id, workspaceId, isAllTeams: Boolean(is_all_teams), teamIds: new Set(teamsOf(checked.row)) },
    window: withThisCall(checked.window, transaction.now),
    now: transaction.now,
    keyCall: call_count + 1,
    isSubscriptionActive: subscription === "active",
  };
}

/** What `admit` would say now, without counting the call: enough to refuse a large body before it is read. */
export async function checkKey(
  transaction: Transaction,
  row: AdmissionRow | undefined,
  key: PresentedKey,
  limit: number,
) {
  if (!row) return findRotation(transaction, key);
  if (key.previousSecretUntil !== undefined && key.previousSecretUntil <= transaction.now)
    return { kind: "unknown", refused: refusedOf(row, "secret_expired", transaction.now) } as const;
  // Calls are numbered, so the number of the first one in the window also says how many there were since.
  const used = row.oldest_call === null ? 0 : row.call_count - row.oldest_call + 1;
  const window: RateWindow = { limit, used, oldestAt: row.oldest_at ?? undefined };
  if (!isFull(window)) return { kind: "open", row, window } as const;
  // After the limit was lowered there are more calls in the window than it allows: several have to leave.
  const isLowered = used > limit;
  const oldestAt = isLowered
    ? await findAdmittedAt(transaction, row, windowOf(transaction.now), used - limit)
    : window.oldestAt;
  return {
    kind: "limited",
    window: { ...window, oldestAt },
    now: transaction.now,
    refused: refusedOf(row, "rate_limit", transaction.now),
  } as const;
}

/** Only a call that would be refused anyway looks for a rotation or an inactive key, so that all others stay cheap. */
async function findRotation(transaction: Transaction, key: PresentedKey): Promise<Unknown | Rotated> {
  const found = key.previousSecretUntil === undefined ? await findKeyOfSecret(transaction, key.secretHash) : undefined;
  if (!found) return { kind: "unknown" };
  if (!found.is_active) return { kind: "unknown", refused: refusedOf(found, "key_inactive", undefined) };
  const { secret_hash: secretHash, previous_secret_until: previousSecretUntil } = found;
  // Activated a moment ago: inactive when this call looked for it.
  if (secretHash === key.secretHash || previousSecretUntil === null) return { kind: "unknown" };
  return { kind: "rotated", current: { secretHash, previousSecretUntil } };
}

const refusedOf = (
  { workspace_id: workspaceId, id: keyId }: { readonly workspace_id: string; readonly id: string },
  reason: RefusedRequest["reason"],
  at: string | undefined,
): RefusedRequest => ({ workspaceId, keyId, reason, at });

/**
 * Runs `call` with the key as it is presented and, where a rotation has replaced its secret, once more with the current one. That opens
 * another transaction, which locks the key and reads the time as every call does.
 */
export async function followingRotation<Outcome extends { readonly kind: string }>(
  key: PresentedKey,
  call: (key: PresentedKey) => Promise<Outcome | Rotated>,
): Promise<Exclude<Outcome, Rotated>> {
  const outcome = await call(key);
  // A key is either current or replaced once, so this ends.
  if (isRotated(outcome)) return followingRotation(outcome.current, call);
  return outcome as Exclude<Outcome, Rotated>;
}

const isRotated = (outcome: { readonly kind: string }): outcome is Rotated => outcome.kind === "rotated";
