// Who is calling: the key of a call → the caller, in the call's own transaction. No decision is kept between calls.
import { errors } from "../contract/errors.ts";
import { findAdmittedAt } from "../metering/admission/admission.store.ts";
import type { Admissions, KeyAccount } from "../metering/admission/admission.ts";
import { barOf, requestsPerMinuteOf } from "../metering/keys/key-limits.ts";
import { findKeyOfSecret } from "../metering/keys/keys.store.ts";
import { isFull, type RateWindow, windowOf } from "../metering/keys/rate-limit.ts";
import type { RefusedRequest } from "../metering/keys/refused-requests.ts";
import { isSecret } from "../metering/keys/secret.ts";
import type { Transaction } from "../platform/database/database.ts";
import { bearerToken } from "../platform/http/bearer-token.ts";
import { hashSecret } from "../platform/secrets/secrets.ts";

/** The secret that a call presents, by its hash; after a rotation, the one that replaced it, for as long as both are accepted. */
export interface PresentedKey {
  readonly secretHash: string;
  /** From where it is presented. */
  readonly clientAddress: string;
  /** When the presented secret ends, because a rotation replaced it; undefined for the key's current secret. */
  readonly previousSecretUntil?: string;
}

/** @throws Refusal 401 where the header has no well-formed key */
export function presentedKey(authorization: string | null, clientAddress: string): PresentedKey {
  const token = bearerToken(authorization);
  if (token === undefined) throw errors.authorizationMissing();
  if (!isSecret(token)) throw errors.keyInvalid();
  return { secretHash: hashSecret(token), clientAddress };
}

/** No active key; a key whose secret was rotated; one that has expired, or does not work from here; too many calls; or the caller. */
export type Admission = Unknown | Rotated | Barred | Limited | Admitted;

interface Unknown {
  readonly kind: "unknown";
  /** Where the key is known nevertheless. */
  readonly refused?: RefusedRequest;
}

interface Rotated {
  readonly kind: "rotated";
  readonly current: PresentedKey;
}

export interface Barred {
  readonly kind: "barred";
  readonly refused: RefusedRequest;
}

export interface Limited {
  readonly kind: "limited";
  readonly caller: KeyAccount;
  readonly refused: RefusedRequest;
  readonly window: RateWindow;
  readonly now: string;
}

export interface Admitted {
  readonly kind: "admitted";
  readonly caller: KeyAccount;
  readonly window: RateWindow;
  readonly now: string;
  /** The call's number among the key's admitted calls. */
  readonly keyCall: number;
}

/** What a key may do now. */
export type KeyCheck = Unknown | Rotated | Barred | Limited | { readonly kind: "open"; readonly account: KeyAccount };

/**
 * Admits a call and counts it, or says why not (decisions, Keys; decisions, Rate limit).
 * @param limitOfAll admitted calls of every key in any 60 seconds
 */
export async function admit(
  transaction: Transaction,
  admissions: Admissions,
  key: PresentedKey,
  limitOfAll: number,
): Promise<Admission> {
  const account = admissions.find(key.secretHash);
  const { now } = transaction;
  const limit = requestsPerMinuteOf(account?.limits, limitOfAll);
  if (account && mayCall(account, key, now) && !isFull(admissions.window(account, limit, now))) {
    if (!admissions.isMonthOpen(account, now)) {
      await admissions.openMonth(transaction, account);
      return admit(transaction, admissions, key, limitOfAll);
    }
    // Nothing is awaited since the window was looked at, so calls that run at the same time cannot exceed it.
    const keyCall = admissions.count(account, now);
    return { kind: "admitted", caller: account, window: admissions.window(account, limit, now), now, keyCall };
  }
  const checked = await checkKey(transaction, admissions, key, limitOfAll);
  return checked.kind === "open" ? admit(transaction, admissions, key, limitOfAll) : checked;
}

const mayCall = ({ limits }: KeyAccount, key: PresentedKey, now: string): boolean =>
  isAccepted(key, now) && barOf(limits, key.clientAddress, now) === undefined;

/** False for the secret from before a rotation once its time is over. */
const isAccepted = ({ previousSecretUntil }: PresentedKey, now: string): boolean =>
  previousSecretUntil === undefined || previousSecretUntil > now;

/** What `admit` would say now, without counting the call: enough to refuse a large body before it is read. */
export async function checkKey(
  transaction: Transaction,
  admissions: Admissions,
  key: PresentedKey,
  limitOfAll: number,
): Promise<KeyCheck> {
  const account = admissions.find(key.secretHash);
  if (!account) return findRotation(transaction, key);
  const { now } = transaction;
  if (!isAccepted(key, now)) return { kind: "unknown", refused: refusedOf(account, "secret_expired", now) };
  const bar = barOf(account.limits, key.clientAddress, now);
  if (bar) return { kind: "barred", refused: refusedOf(account, bar, now) };
  const limit = requestsPerMinuteOf(account.limits, limitOfAll);
  const window = admissions.window(account, limit, now);
  if (!isFull(window)) return { kind: "open", account };
  // After the limit was lowered there are more calls in the window than it allows: several have to leave.
  const surplus = window.used - limit;
  const oldestAt =
    surplus > 0
      ? (account.times.momentAfter(surplus) ?? (await findAdmittedAt(transaction, account, windowOf(now), surplus)))
      : window.oldestAt;
  const refused = refusedOf(account, limit < limitOfAll ? "key_rate_limit" : "rate_limit", now);
  return { kind: "limited", caller: account, window: { ...window, oldestAt }, now, refused };
}

/** Only a call that would be refused anyway looks for a rotation or an inactive key, so that all others stay cheap. */
async function findRotation(transaction: Transaction, key: PresentedKey): Promise<Unknown | Rotated> {
  const found = key.previousSecretUntil === undefined ? await findKeyOfSecret(transaction, key.secretHash) : undefined;
  if (!found) return { kind: "unknown" };
  if (!found.is_active)
    return {
      kind: "unknown",
      refused: refusedOf({ ...found, workspaceId: found.workspace_id }, "key_inactive", undefined),
    };
  const { secret_hash: secretHash, previous_secret_until: previousSecretUntil } = found;
  // Activated a moment ago: inactive when this call looked for it.
  if (secretHash === key.secretHash || previousSecretUntil === null) return { kind: "unknown" };
  return { kind: "rotated", current: { ...key, secretHash, previousSecretUntil } };
}

const refusedOf = (
  { workspaceId, id: keyId }: { readonly workspaceId: string; readonly id: string },
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
