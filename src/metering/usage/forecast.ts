// How long the quota lasts, at the pace of the last days until the month's end.

import { addDays, dayMilliseconds, dayOf, startOfDay } from "../../platform/time.ts";
export interface Pace {
  readonly now: string;
  /** The first moment of the next month. */
  readonly monthEndsAt: string;
  /** When the workspace was created. A new workspace has a shorter window. */
  readonly since: string;
  /** Units used since `windowStart`. */
  readonly unitsInWindow: number;
  readonly used: number;
  readonly remaining: number;
}

export interface Forecast {
  readonly units_per_day: number | null;
  readonly ends_at: string | null;
  readonly units_by_month_end: number;
}

const windowDays = 7;

/** The first day whose units count. The window is today and the six days before. */
export const windowStart = (now: string): string => dayOf(addDays(now, 1 - windowDays));

/**
 * The pace is the units of the last seven days in UTC, today included, divided by the days that have passed. The window crosses the
 * beginning of a month, because people do not change their pace with it. For a new workspace it begins when the workspace was created, and
 * counts as at least one day, so that a busy first minute is not projected to a month. At this pace, the quota ends when the remaining
 * units are drawn, unless the month ends before.
 */
export function forecast({ now, monthEndsAt, since, unitsInWindow, used, remaining }: Pace): Forecast {
  const at = Date.parse(now);
  const begunAt = Math.max(Date.parse(startOfDay(windowStart(now))), Date.parse(since));
  const days = Math.max(1, (at - begunAt) / dayMilliseconds);
  const perDay = unitsInWindow / days;
  const daysLeft = (Date.parse(monthEndsAt) - at) / dayMilliseconds;
  const daysUntilEmpty = remaining === 0 ? 0 : remaining / perDay;
  return {
    units_per_day: unitsInWindow === 0 ? null : Math.round(perDay * 10) / 10,
    ends_at: daysUntilEmpty < daysLeft ? addDays(now, daysUntilEmpty) : null,
    units_by_month_end: used + Math.round(perDay * daysLeft),
  };
}
