// Times and dates in a `time` element.
import { classNames } from "./class-names.ts";
import { formatDay, formatMoment, formatRelative, formatSecond } from "./format.ts";

const formats = { moment: formatMoment, second: formatSecond, day: formatDay, relative: formatRelative } as const;

/** A time or a day in UTC. `relative` shows how long ago it was; its tooltip and its text for screen readers have the exact time. */
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
      {part === "relative" && <span className="sr-only"> ({formatMoment(at)})</span>}
    </time>
  );
}
