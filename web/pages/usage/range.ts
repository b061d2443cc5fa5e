// The range of days on the usage page, as it appears in the address.
import type { DataOf } from "../../api.ts";
import { dayMilliseconds, isDay, isoDay } from "../../time.ts";

export const ranges = ["month", "7", "30", "90", "custom"] as const;
export type Range = (typeof ranges)[number];
export type GroupBy = DataOf<"getUsage">["by"];

export interface UsageSelection {
  readonly range: Range;
  readonly by: GroupBy;
  /** Typed days of a custom range. */
  readonly from: string;
  readonly to: string;
}

const groupings: readonly GroupBy[] = ["operation", "key", "team"];

export function readSelection(search: URLSearchParams): UsageSelection {
  const range = ranges.find((one) => one === search.get("range")) ?? "30";
  const by = groupings.find((one) => one === search.get("by")) ?? "operation";
  return { range, by, from: search.get("from") ?? "", to: search.get("to") ?? "" };
}

/** True when both days are typed, and the first is after the last. */
export const isReversed = ({ from, to }: UsageSelection): boolean => isDay(from) && isDay(to) && from > to;

/**
 * The first and last day of the range; undefined while the typed days are invalid. @param now milliseconds since
 * 1970, from the browser's clock
 */
export function selectedDays(
  { range, from, to }: UsageSelection,
  now: number,
): { from: string; to: string } | undefined {
  const today = isoDay(now);
  if (range === "custom") return isDay(from) && isDay(to) && from <= to ? { from, to } : undefined;
  if (range === "month") return { from: `${today.slice(0, 7)}-01`, to: today };
  return { from: isoDay(now - (Number(range) - 1) * dayMilliseconds), to: today };
}
