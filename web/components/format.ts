// Formats numbers, money and dates. Everyone sees the same format, with dates in UTC.
const countFormatter = new Intl.NumberFormat("en-US");
const usdFormatter = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const compactFormatter = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
const percentFormatter = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });
const dayFormatter = new Intl.DateTimeFormat("en-US", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const monthFormatter = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });
const timeFormatter = new Intl.DateTimeFormat("en-US", {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
});
const secondFormatter = new Intl.DateTimeFormat("en-US", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
});

/** 1234567 → `1,234,567` */
export const formatCount = (value: number): string => countFormatter.format(value);
/** A mean; one below 1 is not shown as 0: 0.1 → `<1`, 12.6 → `13` */
export const formatMean = (value: number): string => (value > 0 && value < 1 ? "<1" : formatCount(Math.round(value)));
/** 1234567 → `1.2M`, for the axes of charts */
export const formatCompact = (value: number): string => compactFormatter.format(value);
/** 0.125 → `12.5%` */
export const formatPercent = (share: number): string => percentFormatter.format(share);
/** 12900000 bytes → `12.3 MiB` */
export function formatMebibytes(bytes: number): string {
  const mebibytes = bytes / 2 ** 20;
  if (mebibytes > 0 && mebibytes < 0.1) return "less than 0.1 MiB";
  return `${mebibytes < 100 ? Number(mebibytes.toFixed(1)) : countFormatter.format(Math.round(mebibytes))} MiB`;
}
/** 1250 cents → `$12.50` */
export const formatUsd = (cents: number): string => usdFormatter.format(cents / 100);
/** A time or a date → `Nov 21, 2026` */
export const formatDay = (at: string): string =>
  dayFormatter.format(new Date(at.length === 10 ? `${at}T00:00:00Z` : at));
/** A month such as `2026-11` → `November 2026` */
export const formatMonth = (of: string): string => monthFormatter.format(new Date(`${of.slice(0, 7)}-01T00:00:00Z`));
/** A time → `Nov 21, 2026, 14:05 UTC` */
export const formatMoment = (at: string): string => {
  const date = new Date(at);
  return `${dayFormatter.format(date)}, ${timeFormatter.format(date)} UTC`;
};
/** A time, where two can be in the same minute → `Nov 21, 2026, 14:05:09 UTC` */
export const formatSecond = (at: string): string => {
  const date = new Date(at);
  return `${dayFormatter.format(date)}, ${secondFormatter.format(date)} UTC`;
};
/** `pluralize(2, "key")` → `2 keys`; `pluralize(1, "entry", "entries")` → `1 entry` */
export const pluralize = (value: number, one: string, many = `${one}s`): string =>
  `${formatCount(value)} ${value === 1 ? one : many}`;

/** Sets a name apart from the sentence around it. The name is never shortened: screen readers read all of it. */
export const quote = (name: string): string => `“${name}”`;

const relativeUnits = [
  { seconds: 86_400, unit: "day" },
  { seconds: 3600, unit: "hour" },
  { seconds: 60, unit: "minute" },
] as const;
const relativeFormatter = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });

/** A time relative to now → `3 hours ago`, `in 2 days` */
export const formatRelative = (at: string, now = Date.now()): string => {
  const seconds = Math.round((Date.parse(at) - now) / 1000);
  const step = relativeUnits.find((candidate) => Math.abs(seconds) >= candidate.seconds);
  return step ? relativeFormatter.format(Math.trunc(seconds / step.seconds), step.unit) : "just now";
};

/** When something will happen → `in less than a minute`, `in 2 days` */
export const formatUntil = (at: string, now = Date.now()): string =>
  Date.parse(at) - now < 60_000 ? "in less than a minute" : formatRelative(at, now);

const shortDayFormatter = new Intl.DateTimeFormat("en-US", { day: "numeric", month: "short", timeZone: "UTC" });

/** A time in a narrow column: `now`, `5 min`, `3 h`, `Nov 21`, or `Nov 21, 2025` of another year. */
export const formatRecent = (at: string, now = Date.now()): string => {
  const minutes = Math.floor((now - Date.parse(at)) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`;
  return formatDate(at, now);
};

/** A date without what is clear: `Nov 21`, or `Nov 21, 2025` of another year. */
export const formatDate = (at: string, now = Date.now()): string => {
  const date = new Date(at);
  return date.getUTCFullYear() === new Date(now).getUTCFullYear() ? shortDayFormatter.format(date) : formatDay(at);
};
