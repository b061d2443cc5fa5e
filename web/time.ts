// Durations, and dates as `YYYY-MM-DD`.

export const hourMilliseconds = 3_600_000;
export const dayMilliseconds = 24 * hourMilliseconds;

/** The UTC date of a time. @param at milliseconds since 1970 */
export const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** True for a date that exists, such as `2026-11-21`. */
export const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
