// Units per day as stacked bars: an SVG of our own. A pointer, a finger or the arrow keys go from day to day; a table says the same.
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { classNames, count, day as dayText, plural, roughly } from "../../components/index.ts";
import { axisOf, dayName, namedDays } from "./scale.ts";
import type { Stacked } from "./series.ts";

const height = 240;
const edge = { top: 10, right: 4, bottom: 24, left: 44 };
const inner = height - edge.top - edge.bottom;
const barWidthMax = 36;

export function UsageChart({ stacked, isStale }: { stacked: Stacked; isStale: boolean }) {
  const [box, width] = useWidth();
  const [chosen, setChosen] = useState<number>();
  const { days, series } = stacked;
  const { end, steps } = axisOf(Math.max(0, ...days.map(({ units }) => units)));
  const slot = Math.max(0, width - edge.left - edge.right) / Math.max(1, days.length);
  const gap = slot > 6 ? Math.min(slot * 0.28, 10) : slot > 2 ? 1 : 0;
  const bar = Math.min(barWidthMax, Math.max(slot - gap, 0.5));
  const y = (units: number) => edge.top + inner * (1 - units / end);
  const x = (index: number) => edge.left + slot * index + (slot - bar) / 2;
  const named = namedDays(days.length, width - edge.left);
  const at = chosen === undefined ? undefined : days[chosen];
  const last = days.length - 1;

  const point = (event: PointerEvent<HTMLElement>) => {
    const place = event.clientX - event.currentTarget.getBoundingClientRect().left - edge.left;
    setChosen(Math.max(0, Math.min(last, Math.floor(place / slot))));
  };
  const step = (event: KeyboardEvent) => {
    const now = chosen ?? last;
    const next = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last, PageUp: now - 7, PageDown: now + 7 }[
      event.key
    ];
    if (next === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(last, next)));
  };

  return (
    <div
      className={classNames("transition-opacity duration-100", isStale && "opacity-60")}
      aria-busy={isStale || undefined}
    >
      <div ref={box} className="relative min-w-0">
        <svg width={width} height={height} aria-hidden="true" focusable="false" className="block">
          {steps.map((units) => (
            <g key={units}>
              <line x1={edge.left} x2={width - edge.right} y1={y(units)} y2={y(units)} className="stroke-line" />
              <text x={edge.left - 8} y={y(units) + 4} textAnchor="end" className="fill-quiet text-[11px] tabular-nums">
                {roughly(units)}
              </text>
            </g>
          ))}
          {chosen !== undefined && (
            <rect x={edge.left + slot * chosen} y={edge.top} width={slot} height={inner} className="fill-hover" />
          )}
          {days.map(({ day, values }, index) => {
            let below = 0;
            return (
              <g key={day}>
                {values.map((units, place) => {
                  if (units === 0) return null;
                  const from = below;
                  below += units;
                  const top = y(below);
                  const one = series[place];
                  // A hair of the ground between two parts tells them apart without their colours.
                  const size = Math.max(y(from) - top - (from > 0 && slot > 4 ? 1 : 0), 0.5);
                  return <rect key={one?.id} x={x(index)} y={top} width={bar} height={size} className={one?.fill} />;
                })}
                {named.has(index) && (
                  <text
                    x={index === last ? width - edge.right : x(index) + bar / 2}
                    y={height - 6}
                    textAnchor={index === last ? "end" : "middle"}
                    className="fill-quiet text-[11px]"
                  >
                    {dayName(day)}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
        <div
          role="slider"
          tabIndex={0}
          aria-label="Units per day. Arrow keys go from day to day"
          aria-orientation="horizontal"
          aria-valuemin={0}
          aria-valuemax={Math.max(0, last)}
          aria-valuenow={chosen ?? Math.max(0, last)}
          aria-valuetext={told(stacked, chosen ?? last)}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setChosen(undefined)}
          onFocus={(event) => event.currentTarget.matches(":focus-visible") && setChosen(chosen ?? last)}
          onBlur={() => setChosen(undefined)}
          onKeyDown={step}
          className="absolute inset-0 touch-pan-y rounded-md"
        />
        {at && chosen !== undefined && (
          <Tip stacked={stacked} index={chosen} left={x(chosen) + bar / 2} width={width} />
        )}
      </div>
      {series.length > 1 && (
        <ul aria-label="Colours" className="mt-3 flex flex-wrap gap-x-5 gap-y-1.5">
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

/** A day in words, for who hears the chart. */
function told({ days, series }: Stacked, index: number): string {
  const day = days[index];
  if (!day) return "No days";
  const parts = series.flatMap(({ name }, place) => {
    const units = day.values[place] ?? 0;
    return units > 0 ? [`${name} ${count(units)}`] : [];
  });
  const total = `${dayText(day.day)} UTC: ${plural(day.units, "unit")}`;
  return parts.length > 1 ? `${total}; ${parts.join(", ")}` : total;
}

const tipWidth = 240;

const Tip = ({ stacked, index, left, width }: { stacked: Stacked; index: number; left: number; width: number }) => {
  const day = stacked.days[index];
  if (!day) return null;
  const used = stacked.series.flatMap((one, place) => {
    const units = day.values[place] ?? 0;
    return units > 0 ? [{ ...one, units }] : [];
  });
  const isRight = left > width / 2;
  const at = isRight ? left - tipWidth - 14 : left + 14;
  return (
    <div
      aria-hidden="true"
      className="bg-surface border-line shadow-high pointer-events-none absolute top-2 z-10 rounded-md border px-3 py-2 text-[0.8125rem]"
      style={{ left: Math.max(0, Math.min(width - tipWidth, at)), width: tipWidth }}
    >
      <p className="flex justify-between gap-3 font-medium tabular-nums">
        <span>{dayText(day.day)} UTC</span>
        <span>{plural(day.units, "unit")}</span>
      </p>
      {used.map(({ id, name, mark, units }) => (
        <p key={id} className="mt-1 flex items-center gap-2">
          <span className={classNames("size-2.5 shrink-0 rounded-xs", mark)} />
          <span className="text-quiet min-w-0 flex-1 truncate">{name}</span>
          <span className="tabular-nums">{count(units)}</span>
        </p>
      ))}
    </div>
  );
};

/** How wide the place of an element is; 0 until it is known. */
export function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, width] as const;
}
