// The options of commands that set the limits of a key, and the lines that show them.
import { consoleLimits } from "../../contract/console/limits.ts";
import { parseNetwork } from "../../contract/networks.ts";
import type { Key } from "../../metering/keys/keys.ts";
import type { LimitChanges } from "../../metering/keys/limit-settings.ts";
import { startOfNextDay } from "../../platform/time.ts";
import { formatAmount, formatMoment, formatNumber } from "../format.ts";
import type { CommandContext, Option, ParsedOptions } from "./command.ts";

const scopes = { read: "read", "read-write": "read_write" } as const;
/** In place of a value: removes the limit. */
const none = "none";

/** @param isChange whether a limit can also be removed */
export const limitOptions = (isChange: boolean) => {
  const noneRemoves = (what: string) => (isChange ? `; "${none}" removes the ${what}` : "");
  return {
    scope: { value: "SCOPE", meaning: `What the key can do: read, or read-write${isChange ? "" : " (the default)"}` },
    expires: {
      value: "DAY",
      meaning: `Last day on which the key works (UTC), such as 2026-12-31${noneRemoves("limit")}`,
    },
    network: {
      value: "CIDR",
      meaning: `Network or address from which the key works; can be repeated${noneRemoves("restriction")}`,
      isRepeatable: true,
    },
    "monthly-budget": { value: "UNITS", meaning: `Maximum units per calendar month (UTC)${noneRemoves("limit")}` },
    "requests-per-minute": {
      value: "N",
      meaning: `Maximum requests in any 60-second window, up to COMMONPLACE_REQUESTS_PER_MINUTE${noneRemoves("limit")}`,
    },
  } as const satisfies Record<string, Option>;
};

/** The limits that the options name. */
export function readLimits({ options, config }: CommandContext, isChange: boolean): LimitChanges {
  const requestsPerMinute = readNumber(options, "requests-per-minute", 1, consoleLimits.keyRateLimitMax, isChange);
  if (typeof requestsPerMinute === "number" && requestsPerMinute > config.requestsPerMinute)
    return options.refuse(
      `--requests-per-minute must be at most ${config.requestsPerMinute}, the value of COMMONPLACE_REQUESTS_PER_MINUTE`,
    );
  return {
    scope: readScope(options),
    expiresAt: readExpiry(options, isChange),
    networks: readNetworks(options, isChange),
    monthlyBudget: readNumber(options, "monthly-budget", 0, consoleLimits.keyBudgetMax, isChange),
    requestsPerMinute,
  };
}

/** Which limits a key has, in a few words: `read, expires, networks`. */
export function listLimits(key: Key): string {
  const limits = [
    key.scope === "read" && "read",
    key.expires_at !== null && `until ${lastDayOf(key.expires_at)}`,
    key.networks.length > 0 && "networks",
    key.monthly_budget !== null && "budget",
    key.requests_per_minute !== null && "rate",
  ].filter((limit) => limit !== false);
  return limits.length === 0 ? "-" : limits.join(", ");
}

/** The last day (UTC) on which a key works: one that expires at midnight does not work on the day that begins then. */
const lastDayOf = (expiresAt: string): string => new Date(Date.parse(expiresAt) - 1).toISOString().slice(0, 10);

export const formatLimits = (key: Key): Record<string, string | number> => ({
  ...(key.scope === "read" && { scope: "read" }),
  ...(key.expires_at !== null && { expires: formatMoment(key.expires_at) }),
  ...(key.networks.length > 0 && { networks: key.networks.join("\n") }),
  ...(key.monthly_budget !== null && {
    budget: `${formatAmount(key.monthly_budget, "units")} a month, ${formatNumber(key.budget_used ?? 0)} used`,
  }),
  ...(key.requests_per_minute !== null && {
    "rate limit": `${formatAmount(key.requests_per_minute, "requests")} in 60 seconds`,
  }),
});

function readScope(options: ParsedOptions): LimitChanges["scope"] {
  const text = options.text("scope");
  if (text === undefined) return undefined;
  const name =
    Object.keys(scopes).find((scope) => scope === text) ?? options.refuse("--scope must be read or read-write");
  // One of the names of this constant.
  return scopes[name as keyof typeof scopes];
}

function readExpiry(options: ParsedOptions, isChange: boolean): string | null | undefined {
  const text = options.text("expires");
  if (text === undefined) return undefined;
  if (isChange && text === none) return null;
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  const isDay = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) && !text.startsWith("9999");
  return isDay ? startOfNextDay(text) : options.refuse("--expires must be a date, such as 2026-12-31");
}

function readNetworks(options: ParsedOptions, isChange: boolean): readonly string[] | undefined {
  const texts = options.texts("network");
  if (!options.isSet("network")) return undefined;
  if (isChange && texts.length === 1 && texts[0] === none) return [];
  if (texts.length > consoleLimits.keyNetworksMax)
    return options.refuse(`--network can be given at most ${consoleLimits.keyNetworksMax} times`);
  const wrong = texts.find((text) => parseNetwork(text) === undefined);
  return wrong === undefined
    ? texts
    : options.refuse("--network must be a network or an address, such as 203.0.113.0/24 or 2001:db8::/32");
}

function readNumber(
  options: ParsedOptions,
  option: string,
  min: number,
  max: number,
  isChange: boolean,
): number | null | undefined {
  const text = options.text(option);
  if (text === undefined) return undefined;
  if (isChange && text === none) return null;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max
    ? value
    : options.refuse(`--${option} must be a whole number from ${min} to ${max}`);
}
