// The limits of a key: as fields in a form, and as lines in a row.
import { type Dispatch, type SetStateAction, useId } from "react";
import {
  Badge,
  formatCount,
  formatDay,
  formatMoment,
  formatUntil,
  Icon,
  pluralize,
  RadioGroup,
  TextareaField,
  TextField,
} from "../../components/index.ts";
import { limits } from "../../limits.ts";
import { dayMilliseconds, isDay, isoDay } from "../../time.ts";
import type { ApiKey } from "./key.ts";

/** The fields as they are typed. */
export interface TypedLimits {
  readonly scope: ApiKey["scope"];
  /** The last day on which the key works; empty for always. */
  readonly lastDay: string;
  readonly networks: string;
  readonly budget: string;
  readonly rateLimit: string;
}

export const typedLimitsOf = (apiKey: ApiKey | undefined): TypedLimits => ({
  scope: apiKey?.scope ?? "read_write",
  lastDay: apiKey?.expires_at ? lastDayOf(apiKey.expires_at) : "",
  networks: apiKey?.networks.join("\n") ?? "",
  budget: apiKey?.monthly_budget?.toString() ?? "",
  rateLimit: apiKey?.requests_per_minute?.toString() ?? "",
});

/** The limits of a request: only those that differ from what they were. */
export function changedLimits(before: TypedLimits, after: TypedLimits) {
  const isChanged = (name: keyof TypedLimits) => before[name] !== after[name];
  return {
    ...(isChanged("scope") && { scope: after.scope }),
    ...(isChanged("lastDay") && { expiresAt: after.lastDay === "" ? null : startOfDayAfter(after.lastDay) }),
    ...(isChanged("networks") && { networks: linesOf(after.networks) }),
    ...(isChanged("budget") && { monthlyBudget: numberOf(after.budget) }),
    ...(isChanged("rateLimit") && { requestsPerMinute: numberOf(after.rateLimit) }),
  };
}

/** Whether a key has any of the limits that are folded in the form. */
export const hasLimits = ({ scope: _, ...folded }: TypedLimits): boolean =>
  Object.values(folded).some((text) => text !== "");

export const areLimitsValid = (typed: TypedLimits): boolean => Object.values(errorsOf(typed)).every((error) => !error);

const lastDayOf = (expiresAt: string): string => isoDay(Date.parse(expiresAt) - 1);
const startOfDayAfter = (day: string): string => new Date(Date.parse(day) + dayMilliseconds).toISOString();
const linesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((line) => line !== "");
const digitsOf = (text: string): string => text.replaceAll(/[\s,]/g, "");
const numberOf = (text: string): number | null => (text.trim() === "" ? null : Number(digitsOf(text)));

const errorsOf = ({ lastDay, budget, rateLimit }: TypedLimits) => ({
  lastDay: lastDay === "" || isDay(lastDay) ? undefined : "Enter a date.",
  budget: isNumberBetween(budget, 0, limits.keyBudgetMax)
    ? undefined
    : `Enter a whole number up to ${formatCount(limits.keyBudgetMax)}.`,
  rateLimit: isNumberBetween(rateLimit, 1, limits.keyRateLimitMax)
    ? undefined
    : `Enter a whole number from 1 to ${formatCount(limits.keyRateLimitMax)}.`,
});

const isNumberBetween = (text: string, min: number, max: number): boolean => {
  const digits = digitsOf(text);
  return digits === "" || (/^\d{1,15}$/.test(digits) && Number(digits) >= min && Number(digits) <= max);
};

interface LimitsFieldsProps {
  readonly value: TypedLimits;
  readonly onChange: Dispatch<SetStateAction<TypedLimits>>;
  /** Shows the limits unfolded from the start. */
  readonly isOpen: boolean;
}

export function LimitsFields({ value, onChange, isOpen }: LimitsFieldsProps) {
  const id = useId();
  const errors = errorsOf(value);
  const field = (name: Exclude<keyof TypedLimits, "scope">) => ({
    value: value[name],
    onChange: ({ target }: { target: { value: string } }) =>
      onChange((before) => ({ ...before, [name]: target.value })),
  });
  return (
    <>
      <RadioGroup
        legend="Permissions"
        name={`${id}-scope`}
        value={value.scope}
        onChange={(scope) => onChange((before) => ({ ...before, scope }))}
        options={[
          { value: "read_write", label: "Read and write" },
          { value: "read", label: "Read only", hint: "The key can’t create, change, or delete anything." },
        ]}
      />
      <details className="border-line group min-w-0 rounded-md border" open={isOpen}>
        <summary className="flex min-h-11 items-center justify-between px-3 font-medium sm:min-h-9">
          Expiration and limits
          <Icon name="chevron" className="text-quiet size-4 group-open:rotate-180" />
        </summary>
        <div className="grid min-w-0 gap-4 p-3 pt-1">
          <TextField
            label="Last day"
            type="date"
            hint="The key works until the end of this day (UTC). Leave empty for no expiration."
            error={errors.lastDay}
            {...field("lastDay")}
          />
          <TextareaField
            label="Networks"
            rows={2}
            spellCheck={false}
            autoComplete="off"
            placeholder="203.0.113.0/24"
            hint="One address or network per line. The key works only from these. Leave empty to allow all."
            {...field("networks")}
          />
          <TextField
            label="Monthly budget (units)"
            inputMode="numeric"
            autoComplete="off"
            hint="The most units the key can use in a calendar month (UTC). Leave empty for no limit."
            error={errors.budget}
            {...field("budget")}
          />
          <TextField
            label="Requests per minute"
            inputMode="numeric"
            autoComplete="off"
            hint="Lowers the rate limit of this key. Leave empty to use the service’s limit."
            error={errors.rateLimit}
            {...field("rateLimit")}
          />
        </div>
      </details>
    </>
  );
}

/** How long before the end a key is shown as one that expires. */
const noticeMilliseconds = 14 * dayMilliseconds;

export const isExpired = ({ expires_at }: ApiKey): boolean =>
  expires_at !== null && Date.parse(expires_at) <= Date.now();

/** Whether the key expires soon, or has expired; nothing for one that does not. */
export function ExpiryOfKey({ apiKey }: { apiKey: ApiKey }) {
  const { expires_at } = apiKey;
  if (expires_at === null) return null;
  const title = formatMoment(expires_at);
  if (isExpired(apiKey))
    return (
      <span title={title}>
        <Badge tone="danger">Expired {formatDay(expires_at)}</Badge>
      </span>
    );
  if (Date.parse(expires_at) <= Date.now() + noticeMilliseconds)
    return (
      <span title={title}>
        <Badge tone="warn">Expires {formatUntil(expires_at)}</Badge>
      </span>
    );
  return (
    <span className="text-quiet text-xs" title={title}>
      Works through {formatDay(lastDayOf(expires_at))}
    </span>
  );
}

const networksShownMax = 2;

/** The other limits of a key, a line for each; nothing for a key without any. */
export function LimitsOfKey({ apiKey }: { apiKey: ApiKey }) {
  const { scope, networks, monthly_budget, budget_used, requests_per_minute } = apiKey;
  const lines = [
    scope === "read" && "Read only",
    ...(networks.length > networksShownMax ? [pluralize(networks.length, "network")] : networks),
    monthly_budget !== null && `${formatCount(budget_used ?? 0)} of ${formatCount(monthly_budget)} units this month`,
    requests_per_minute !== null && `${pluralize(requests_per_minute, "request")} per minute`,
  ].filter((line) => line !== false);
  if (lines.length === 0) return null;
  return (
    <span className="text-quiet grid min-w-0 text-xs wrap-anywhere" title={networks.join("\n") || undefined}>
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </span>
  );
}
