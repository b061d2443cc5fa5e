// Units per day as stacked bars, in SVG. A pointer or the arrow keys select a day; a table has the same numbers.
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { classNames, formatCompact, formatCount, formatDay, pluralize } from "../../components/index.ts";
import { computeAxis, formatShortDay, labeledDays } from "./scale.ts";
import type { StackedUsage } from "./series.ts";

const height = 240;
const margin = { top: 10, right: 4, bottom: 24, left: 44 };
const plotHeight = height - margin.top - margin.bottom;
const barWidthMax = 36;

export function UsageChart({ stacked, isStale }: { stacked: StackedUsage; isStale: boolean }) {
  const [ref, width] = useWidth();
  const [selected, setSelected] = useState<number>();
  const { days, series } = stacked;
  const { end, steps } = computeAxis(Math.max(0, ...days.map(({ units }) => units)));
  const slotWidth = Math.max(0, width - margin.left - margin.right) / Math.max(1, days.length);
  const gap = slotWidth > 6 ? Math.min(slotWidth * 0.28, 10) : slotWidth > 2 ? 1 : 0;
  const barWidth = Math.min(barWidthMax, Math.max(slotWidth - gap, 0.5));
  const y = (units: number) => margin.top + plotHeight * (1 - units / end);
  const x = (index: number) => margin.left + slotWidth * index + (slotWidth - barWidth) / 2;
  const labeled = labeledDays(days.length, width - margin.left);
  const selectedDay = selected === undefined ? undefined : days[selected];
  const last = days.length - 1;

  const selectAtPointer = (event: PointerEvent<HTMLElement>) => {
    const offset = event.clientX - event.currentTarget.getBoundingClientRect().left - margin.left;
    setSelected(Math.max(0, Math.min(last, Math.floor(offset / slotWidth))));
  };
  const moveSelection = (event: KeyboardEvent) => {
    const current = selected ?? last;
    const next = {
      ArrowLeft: current - 1,
      ArrowRight: current + 1,
      Home: 0,
      End: last,
      PageUp: current - 7,
      PageDown: current + 7,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setSelected(Math.max(0, Math.min(last, next)));
  };

  return (
    <div
      className={classNames("transition-opacity duration-100", isStale && "opacity-60")}
      aria-busy={isStale || undefined}
    >
      <div ref={ref} className="relative min-w-0">
        <svg width={width} height={height} aria-hidden="true" focusable="false" className="block">
          {steps.map((units) => (
            <g key={units}>
              <line x1={margin.left} x2={width - margin.right} y1={y(units)} y2={y(units)} className="stroke-line" />
              <text
                x={margin.left - 8}
                y={y(units) + 4}
                textAnchor="end"
                className="fill-quiet text-[11px] tabular-nums"
              >
                {formatCompact(units)}
              </text>
            </g>
          ))}
          {selected !== undefined && (
            <rect
              x={margin.left + slotWidth * selected}
              y={margin.top}
              width={slotWidth}
              height={plotHeight}
              className="fill-hover"
            />
          )}
          {days.map(({ day, values }, index) => {
            let below = 0;
            return (
              <g key={day}>
                {values.map((units, seriesIndex) => {
                  if (units === 0) return null;
                  const from = below;
                  below += units;
                  const top = y(below);
                  const bars = series[seriesIndex];
                  // A thin gap separates two parts without relying on their colors.
                  const size = Math.max(y(from) - top - (from > 0 && slotWidth > 4 ? 1 : 0), 0.5);
                  return (
                    <rect key={bars?.id} x={x(index)} y={top} width={barWidth} height={size} className={bars?.fill} />
                  );
                })}
                {labeled.has(index) && (
                  <text
                    x={index === last ? width - margin.right : x(index) + barWidth / 2}
                    y={height - 6}
                    textAnchor={index === last ? "end" : "middle"}
                    className="fill-quiet text-[11px]"
                  >
                    {formatShortDay(day)}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
        <div
          role="slider"
          tabIndex={0}
          aria-label="Units per day. Use the arrow keys to move between days"
          aria-orientation="horizontal"
          aria-valuemin={0}
          aria-valuemax={Math.max(0, last)}
          aria-valuenow={selected ?? Math.max(0, last)}
          aria-valuetext={describeDay(stacked, selected ?? last)}
          onPointerMove={selectAtPointer}
          onPointerDown={selectAtPointer}
          onPointerLeave={() => setSelected(undefined)}
          onFocus={(event) => event.currentTarget.matches(":focus-visible") && setSelected(selected ?? last)}
          onBlur={() => setSelected(undefined)}
          onKeyDown={moveSelection}
          className="absolute inset-0 touch-pan-y rounded-md"
        />
        {selectedDay && selected !== undefined && (
          <Tooltip stacked={stacked} index={selected} left={x(selected) + barWidth / 2} width={width} />
        )}
      </div>
      {series.length > 1 && (
        <ul aria-label="Legend" className="mt-3 flex flex-wrap gap-x-5 gap-y-1.5">
          {series.map(({ id, name, mark }) => (
            <li key={id} className="flex min-w-0 items-center gap-2 text-[0.8125rem]">
              <span className={classNames("size-2.5 shrink-0 rounded-xs", mark)} aria-hidden="true" />
              <span className="text-quiet max-w-56 truncate" title={name}>
                {name}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A day as a sentence for screen readers. */
function describeDay({ days, series }: StackedUsage, index: number): string {
  const day = days[index];
  if (!day) return "No data";
  const parts = series.flatMap(({ name }, seriesIndex) => {
    const units = day.values[seriesIndex] ?? 0;
    return units > 0 ? [`${name} ${formatCount(units)}`] : [];
  });
  const total = `${formatDay(day.day)} UTC: ${pluralize(day.units, "unit")}`;
  return parts.length > 1 ? `${total}; ${parts.join(", ")}` : total;
}

const tooltipWidth = 240;

const Tooltip = ({
  stacked,
  index,
  left,
  width,
}: {
  stacked: StackedUsage;
  index: number;
  left: number;
  width: number;
}) => {
  const day = stacked.days[index];
  if (!day) return null;
  const used = stacked.series.flatMap((bars, seriesIndex) => {
    const units = day.values[seriesIndex] ?? 0;
    return units > 0 ? [{ ...bars, units }] : [];
  });
  const isRight = left > width / 2;
  const at = isRight ? left - tooltipWidth - 14 : left + 14;
  return (
    <div
      aria-hidden="true"
      className="bg-surface border-line shadow-high pointer-events-none absolute top-2 z-10 rounded-md border px-3 py-2 text-[0.8125rem]"
      style={{ left: Math.max(0, Math.min(width - tooltipWidth, at)), width: tooltipWidth }}
    >
      <p className="flex justify-between gap-3 font-medium tabular-nums">
        <span>{formatDay(day.day)} UTC</span>
        <span>{pluralize(day.units, "unit")}</span>
      </p>
      {used.map(({ id, name, mark, units }) => (
        <p key={id} className="mt-1 flex items-center gap-2">
          <span className={classNames("size-2.5 shrink-0 rounded-xs", mark)} />
          <span className="text-quiet min-w-0 flex-1 truncate">{name}</span>
          <span className="tabular-nums">{formatCount(units)}</span>
        </p>
      ))}
    </div>
  );
};

/** The width of an element in pixels; 0 until it is measured. */
export function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}
