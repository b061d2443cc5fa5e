// Numbers, money and moments as people read them: the same for everybody, dates in UTC.
const counting = new Intl.NumberFormat("en-US");
const money = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
const percentage = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });
const dayFormat = new Intl.DateTimeFormat("en-US", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const monthFormat = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });
const clockFormat = new Intl.DateTimeFormat("en-US", {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
});

/** 1234567 → `1,234,567` */
export const count = (value: number): string => counting.format(value);
/** A mean, which is not nothing where it is less than one: 0.1 → `<1`, 12.6 → `13` */
export const mean = (value: number): string => (value > 0 && value < 1 ? "<1" : count(Math.round(value)));
/** 1234567 → `1.2M`, for axes */
export const roughly = (value: number): string => compact.format(value);
/** 0.125 → `12.5%` */
export const percent = (share: number): string => percentage.format(share);
/** 1250 cents → `$12.50` */
export const usd = (cents: number): string => money.format(cents / 100);
/** A moment or a day → `Nov 21, 2026` */
export const day = (at: string): string => dayFormat.format(new Date(at.length === 10 ? `${at}T00:00:00Z` : at));
/** A month such as `2026-11` → `November 2026` */
export const month = (of: string): string => monthFormat.format(new Date(`${of.slice(0, 7)}-01T00:00:00Z`));
/** A moment → `Nov 21, 2026, 14:05 UTC` */
export const moment = (at: string): string => {
  const date = new Date(at);
  return `${dayFormat.format(date)}, ${clockFormat.format(date)} UTC`;
};
/** `plural(2, "key")` → `2 keys`; `plural(1, "entry", "entries")` → `1 entry` */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** A name may be anything that somebody typed: it is read aloud and told whole, and cut only for the eye. */
export const quoted = (name: string): string => `“${name}”`;

const steps = [
  { seconds: 86_400, unit: "day" },
  { seconds: 3600, unit: "hour" },
  { seconds: 60, unit: "minute" },
] as const;
const relative = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });

/** A moment seen from now → `3 hours ago`, `in 2 days` */
export const fromNow = (at: string, now = Date.now()): string => {
  const seconds = Math.round((Date.parse(at) - now) / 1000);
  const step = steps.find((candidate) => Math.abs(seconds) >= candidate.seconds);
  return step ? relative.format(Math.trunc(seconds / step.seconds), step.unit) : "just now";
};
