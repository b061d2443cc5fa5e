// Times and dates in a `time` element.
import { classNames } from "./class-names.ts";
import { formatDay, formatMoment, formatRelative, formatSecond, formatUntil } from "./format.ts";

const formats = {
  moment: formatMoment,
  second: formatSecond,
  day: formatDay,
  relative: formatRelative,
  until: formatUntil,
} as const;

/**
 * A time or a day in UTC. `relative` shows how long ago it was, and `until` how soon it will be; the tooltip and the text for screen
 * readers have the exact time.
 */
export function Time({
  at,
  part = "moment",
  className,
}: {
  at: string;
  part?: keyof typeof formats;
  className?: string;
}) {
  const text = formats[part](at);
  return (
    <time dateTime={at} title={formatMoment(at)} className={classNames("whitespace-nowrap tabular-nums", className)}>
      {text}
      {(part === "relative" || part === "until") && <span className="sr-only"> ({formatMoment(at)})</span>}
    </time>
  );
}
