// How long the quota lasts: what was used of late, carried on in a straight line to the month's end.

import { addDays, dayMilliseconds, dayOf, startOfDay } from "../../platform/time.ts";
export interface Pace {
  readonly now: string;
  /** The first moment of the next month. */
  readonly monthEndsAt: string;
  /** When the workspace began: what is younger than the window has a shorter one. */
  readonly since: string;
  /** Used in the window: since `windowBegins`. */
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

/** The first day whose units count: today and the six days before it. */
export const windowBegins = (now: string): string => dayOf(addDays(now, 1 - windowDays));

/**
 * The pace is the units of the last seven days in UTC, today as far as it goes, by the days that have passed; across the beginning of a
 * month too, since people do not change their pace with it. A workspace that is younger than that counts since it was made, and at least
 * one day, so that its first minutes are not carried on for a month. From now on that pace is held: the quota ends when it has drawn what
 * remains, unless the month ends before. What is already used up has ended now.
 */
export function forecast({ now, monthEndsAt, since, unitsInWindow, used, remaining }: Pace): Forecast {
  const at = Date.parse(now);
  const begunAt = Math.max(Date.parse(startOfDay(windowBegins(now))), Date.parse(since));
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
