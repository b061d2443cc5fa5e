// Prepares usage for a chart: a few parts with a color each, the rest as one.
import type { DataOf } from "../../api.ts";

export type UsageData = DataOf<"getUsage">;

export interface Series {
  readonly id: string;
  readonly name: string;
  /** Classes of its bars, and of its mark in the legend and the table. */
  readonly fill: string;
  readonly mark: string;
}

const colors: readonly (readonly [string, string])[] = [
  ["fill-chart-1", "bg-chart-1"],
  ["fill-chart-2", "bg-chart-2"],
  ["fill-chart-3", "bg-chart-3"],
  ["fill-chart-4", "bg-chart-4"],
  ["fill-chart-5", "bg-chart-5"],
];
const rest: readonly [string, string] = ["fill-edge", "bg-edge"];

export interface StackedUsage {
  readonly series: readonly Series[];
  /** Units of each day, in the order of the series. */
  readonly days: readonly { readonly day: string; readonly units: number; readonly values: readonly number[] }[];
}

export function stackUsage({ parts, days }: UsageData): StackedUsage {
  const hasRest = parts.length > colors.length + 1;
  const visible = hasRest ? parts.slice(0, colors.length) : parts;
  const series = visible.map(({ id, name }, index): Series => {
    const [fill, mark] = colors[index] ?? rest;
    return { id, name, fill, mark };
  });
  if (hasRest)
    series.push({ id: "rest", name: `${parts.length - visible.length} others`, fill: rest[0], mark: rest[1] });
  return {
    series,
    days: days.map(({ day, units, units_by_part }) => {
      const values = visible.map((_, index) => units_by_part[index] ?? 0);
      if (hasRest) values.push(units - values.reduce((sum, value) => sum + value, 0));
      return { day, units, values };
    }),
  };
}

/** The mark of a part in the table, which lists all parts. */
export const markOf = ({ series }: StackedUsage, index: number): string =>
  series[Math.min(index, series.length - 1)]?.mark ?? "";
