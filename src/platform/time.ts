// Time as the service stores it. A moment is ISO 8601 text in UTC with milliseconds, a day is YYYY-MM-DD, a month is YYYY-MM, all in UTC:
// each sorts as text in the order of time.

export const minuteMilliseconds = 60 * 1_000;
export const hourMilliseconds = 60 * minuteMilliseconds;
export const dayMilliseconds = 24 * hourMilliseconds;

export const hourSeconds = 60 * 60;
export const daySeconds = 24 * hourSeconds;

export const addMilliseconds = (moment: string, milliseconds: number): string =>
  new Date(Date.parse(moment) + milliseconds).toISOString();

export const addSeconds = (moment: string, seconds: number): string => addMilliseconds(moment, seconds * 1_000);

export const addMinutes = (moment: string, minutes: number): string =>
  addMilliseconds(moment, minutes * minuteMilliseconds);

export const addHours = (moment: string, hours: number): string => addMilliseconds(moment, hours * hourMilliseconds);

/** Days of 24 hours: UTC has no others. */
export const addDays = (moment: string, days: number): string => addMilliseconds(moment, days * dayMilliseconds);

/** Earlier than every moment that is stored. */
export const beginningOfTime = "0001-01-01T00:00:00.000Z";

/** The first moment of the minute. */
export const minuteOf = (moment: string): string => `${moment.slice(0, 16)}:00.000Z`;

/** The day in UTC of a moment: `YYYY-MM-DD`. */
export const dayOf = (moment: string): string => moment.slice(0, 10);

/** The calendar month in UTC of a moment or a day: `YYYY-MM`. */
export const monthOf = (moment: string): string => moment.slice(0, 7);

/** The first moment of a day. */
export const startOfDay = (day: string): string => `${day}T00:00:00.000Z`;

/** The first moment after a day. */
export const startOfNextDay = (day: string): string => addDays(startOfDay(day), 1);

/** The day that is `days` later, or earlier when negative. */
export const shiftDay = (day: string, days: number): string => dayOf(addDays(startOfDay(day), days));

const monthNames = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];

/** The day in UTC of a moment, in words: `April 1, 2026`. */
export function dayInWords(moment: string): string {
  const [year, month = 1, day] = dayOf(moment).split("-").map(Number);
  return `${monthNames[month - 1]} ${day}, ${year}`;
}

/** A month in words: `April 2026`. */
export function monthInWords(month: string): string {
  const [year, number = 1] = month.split("-").map(Number);
  return `${monthNames[number - 1]} ${year}`;
}

/** The first moment of a month and the first moment after it. */
export function boundsOfMonth(month: string): { from: string; before: string } {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return {
    from: new Date(Date.UTC(year, number - 1)).toISOString(),
    before: new Date(Date.UTC(year, number)).toISOString(),
  };
}
