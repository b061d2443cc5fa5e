// Durations, and dates as `YYYY-MM-DD`.

export const hourMilliseconds = 3_600_000;
export const dayMilliseconds = 24 * hourMilliseconds;

/** The UTC date of a time. @param at milliseconds since 1970 */
export const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/**
 * True for a date that exists, such as `2026-11-21`. While someone types a year, date fields contain years such as 0002, 0020, and 0202;
 * nothing here is older than 2000.
 */
export const isDay = (text: string): boolean => /^[2-9]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
