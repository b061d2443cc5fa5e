// The limits of a key as people set and read them.
import { errors } from "../../contract/errors.ts";
import { formatNetwork, parseNetwork } from "../../contract/networks.ts";
import type { KeyScope } from "../../contract/scopes.ts";
import type { Transaction } from "../../platform/database/database.ts";
import type { Value } from "../../platform/database/sql.ts";
import { boundsOfMonth, dayOf, monthOf } from "../../platform/time.ts";
import { unitsOfKey } from "../usage/totals.store.ts";
import { type LimitColumns, networksOf } from "./key-limits.ts";

/** Limits to set; what is left out stays as it is. Null removes a limit, and so does an empty list of networks. */
export interface LimitChanges {
  readonly scope?: KeyScope | undefined;
  readonly expiresAt?: string | null | undefined;
  readonly networks?: readonly string[] | undefined;
  readonly monthlyBudget?: number | null | undefined;
  readonly requestsPerMinute?: number | null | undefined;
}

/** The limits of a key as its administrator sees them. */
export interface LimitFields {
  readonly scope: KeyScope;
  readonly expires_at: string | null;
  /** Empty for a key that works from everywhere. */
  readonly networks: readonly string[];
  readonly monthly_budget: number | null;
  /** Units of the budget that were drawn this month; null without a budget. */
  readonly budget_used: number | null;
  readonly requests_per_minute: number | null;
}

export const limitFieldsOf = (row: LimitColumns, now: string): LimitFields => ({
  scope: row.scope,
  expires_at: row.expires_at,
  networks: networksOf(row.networks),
  monthly_budget: row.monthly_budget,
  budget_used: row.monthly_budget === null ? null : row.budget_month === monthOf(now) ? (row.budget_used ?? 0) : 0,
  requests_per_minute: row.requests_per_minute,
});

/**
 * The columns of the changes. A new budget counts what the key has drawn this month already, which the caller's lock keeps from changing.
 * @param key undefined for a new one
 * @throws Refusal `invalid`
 */
export async function columnsOfLimits(
  transaction: Transaction,
  { scope, expiresAt, networks, monthlyBudget, requestsPerMinute }: LimitChanges,
  key?: LimitColumns & { readonly workspace_id: string; readonly id: string },
): Promise<Record<string, Value>> {
  const isBudgetNew = typeof monthlyBudget === "number" && (key === undefined || key.monthly_budget === null);
  return {
    ...(scope !== undefined && { scope }),
    ...(expiresAt !== undefined && { expires_at: expiresAt && requireFuture(expiresAt, transaction.now) }),
    ...(networks !== undefined && { networks: networks.length === 0 ? null : JSON.stringify(canonical(networks)) }),
    ...(monthlyBudget !== undefined && { monthly_budget: monthlyBudget }),
    ...(monthlyBudget === null && { budget_month: null, budget_used: null }),
    ...(isBudgetNew && (await drawnThisMonth(transaction, key))),
    ...(requestsPerMinute !== undefined && { requests_per_minute: requestsPerMinute }),
  };
}

/** @param max calls of every key in any minute. @throws Refusal `invalid` for a rate limit that would be higher */
export function requireRateLimit(requestsPerMinute: number | null | undefined, max: number): void {
  if (typeof requestsPerMinute === "number" && requestsPerMinute > max)
    throw errors.invalid(`requestsPerMinute must be at most ${max}, the instance's limit for each key`);
}

function requireFuture(text: string, now: string): string {
  const moment = new Date(text).toISOString();
  if (moment <= now) throw errors.invalid("expiresAt must be in the future");
  return moment;
}

/** Each network once, in the one way in which it is written. */
function canonical(networks: readonly string[]): string[] {
  const texts = networks.map((text) => {
    const network = parseNetwork(text);
    if (!network) throw errors.invalid("networks must contain only IP addresses or networks, such as 203.0.113.0/24");
    return formatNetwork(network);
  });
  return [...new Set(texts)];
}

async function drawnThisMonth(
  transaction: Transaction,
  key: { readonly workspace_id: string; readonly id: string } | undefined,
): Promise<Record<string, Value>> {
  const month = monthOf(transaction.now);
  const firstDay = dayOf(boundsOfMonth(month).from);
  const used = key ? await unitsOfKey(transaction, key.workspace_id, key.id, firstDay) : 0;
  return { budget_month: month, budget_used: used };
}
