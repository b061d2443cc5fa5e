// The axis and the labels of a chart.

/** The end of an axis from 0, and its steps: a round number not below the largest value. */
export function computeAxis(
  largest: number,
  stepsMax = 4,
): { readonly end: number; readonly steps: readonly number[] } {
  const rough = Math.max(1, largest) / stepsMax;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 2.5, 5, 10].map((factor) => factor * magnitude).find((one) => one >= rough) ?? rough);
  const whole = Math.ceil(step);
  const count = Math.max(1, Math.ceil(largest / whole));
  return { end: count * whole, steps: Array.from({ length: count + 1 }, (_, index) => index * whole) };
}

const shortDay = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: "UTC" });

/** 2026-11-21 → `Nov 21` */
export const formatShortDay = (day: string): string => shortDay.format(new Date(`${day}T00:00:00Z`));

/** The days with a label below the chart: always the last one, and no two so close that their labels touch. */
export function labeledDays(days: number, width: number): ReadonlySet<number> {
  const every = Math.max(1, Math.ceil((days * labelWidth) / Math.max(width, 1)));
  const named = new Set<number>();
  for (let index = days - 1; index >= 0; index -= every) named.add(index);
  return named;
}

const labelWidth = 72;
