// Units of the last days as bars without axes, with one sentence for screen readers.
import { formatDay, pluralize } from "../../components/index.ts";
import { useWidth } from "./chart.tsx";
import { formatShortDay } from "./scale.ts";

const height = 72;

export function Sparkline({ days }: { days: readonly { readonly day: string; readonly units: number }[] }) {
  const [ref, width] = useWidth();
  const largest = Math.max(1, ...days.map(({ units }) => units));
  const slot = width / Math.max(1, days.length);
  const bar = Math.max(1, slot - Math.min(3, slot * 0.25));
  const [first, last] = [days[0], days.at(-1)];
  const busiest = days.reduce(
    (found, one) => (one.units > found.units ? one : found),
    days[0] ?? { day: "", units: 0 },
  );
  const total = days.reduce((sum, { units }) => sum + units, 0);
  const label =
    total === 0
      ? "No units used in this period"
      : `${pluralize(total, "unit")} in ${pluralize(days.length, "day")}. Busiest day: ${formatDay(busiest.day)} (UTC), ${pluralize(busiest.units, "unit")}`;
  return (
    <div ref={ref} className="min-w-0">
      <svg role="img" aria-label={label} width={width} height={height} className="block">
        {days.map(({ day, units }, index) => {
          const size = units === 0 ? 1 : Math.max(2, (units / largest) * (height - 2));
          return (
            <rect
              key={day}
              x={slot * index}
              y={height - size}
              width={bar}
              height={size}
              rx={Math.min(2, bar / 4)}
              className={units === 0 ? "fill-line" : "fill-chart-1"}
            />
          );
        })}
      </svg>
      {first && last && (
        <p className="text-quiet mt-1.5 flex justify-between text-xs" aria-hidden="true">
          <span>{formatShortDay(first.day)}</span>
          <span>{formatShortDay(last.day)}</span>
        </p>
      )}
    </div>
  );
}
