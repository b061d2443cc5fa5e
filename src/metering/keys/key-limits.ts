// The limits of a key beyond its teams: what it may do, until when, from which networks, how much in a month, and how fast. A key without
// any is not checked for them.
import { limits } from "../../contract/limits.ts";
import { isInNetworks, type Network, parseNetwork } from "../../contract/networks.ts";
import { includesScope, type KeyScope, type Scope } from "../../contract/scopes.ts";
import { addDays, monthOf } from "../../platform/time.ts";

/** The columns of limits in a key's row. */
export interface LimitColumns {
  readonly scope: KeyScope;
  readonly expires_at: string | null;
  /** JSON; null for all networks. */
  readonly networks: string | null;
  readonly monthly_budget: number | null;
  /** The month in which `budget_used` units were drawn; both are null without a budget. */
  readonly budget_month: string | null;
  readonly budget_used: number | null;
  readonly requests_per_minute: number | null;
}

/** The limits of a key that has some, for as long as its row is remembered. */
export interface LimitsInUse {
  readonly scope: KeyScope;
  readonly expiresAt: string | undefined;
  readonly networks: readonly Network[] | undefined;
  readonly requestsPerMinute: number | undefined;
  readonly budget: Budget | undefined;
}

/** What a key may draw in a month. It changes only under the lock of the key's row. */
interface Budget {
  readonly units: number;
  month: string;
  used: number;
}

/** @returns undefined for a key without limits */
export function limitsOf(row: LimitColumns): LimitsInUse | undefined {
  const { scope, expires_at, networks, monthly_budget, budget_month, budget_used, requests_per_minute } = row;
  const isFree = expires_at === null && networks === null && monthly_budget === null && requests_per_minute === null;
  if (isFree && scope === "read_write") return undefined;
  return {
    scope,
    expiresAt: expires_at ?? undefined,
    networks: networks === null ? undefined : networksOf(networks).flatMap((network) => parseNetwork(network) ?? []),
    requestsPerMinute: requests_per_minute ?? undefined,
    budget:
      monthly_budget === null
        ? undefined
        : { units: monthly_budget, month: budget_month ?? "", used: budget_used ?? 0 },
  };
}

/** The networks of a column. */
export const networksOf = (json: string | null): string[] => (json === null ? [] : JSON.parse(json));

/** Why a key cannot call at all: it has expired, or does not work from this address. */
export function barOf(
  inUse: LimitsInUse | undefined,
  clientAddress: string,
  now: string,
): "key_expired" | "network" | undefined {
  if (inUse === undefined) return undefined;
  if (inUse.expiresAt !== undefined && inUse.expiresAt <= now) return "key_expired";
  return inUse.networks && !isInNetworks(inUse.networks, clientAddress) ? "network" : undefined;
}

export const isInScope = (inUse: LimitsInUse | undefined, needed: Scope): boolean =>
  inUse === undefined || includesScope(inUse.scope, needed);

/** The calls that a key may make in any minute: at most as many as every key. */
export const requestsPerMinuteOf = (inUse: LimitsInUse | undefined, max: number): number =>
  Math.min(inUse?.requestsPerMinute ?? max, max);

/** Units that a key may draw in the month of this moment; undefined without a budget. A lowered budget may have been exceeded already. */
export function budgetLeft(inUse: LimitsInUse | undefined, now: string): number | undefined {
  const budget = inUse?.budget;
  if (!budget) return undefined;
  return Math.max(0, budget.units - (monthOf(now) > budget.month ? 0 : budget.used));
}

export function drawFromBudget({ budget }: LimitsInUse, units: number, now: string): void {
  if (!budget) return;
  const month = monthOf(now);
  if (month > budget.month) Object.assign(budget, { month, used: 0 });
  budget.used += units;
}

/** When the key expires, in the days before that; undefined earlier, and for a key that does not expire. */
export const expiryToAnnounce = (inUse: LimitsInUse | undefined, now: string): string | undefined =>
  inUse?.expiresAt !== undefined && inUse.expiresAt <= addDays(now, limits.keyExpiryNoticeDays)
    ? inUse.expiresAt
    : undefined;
