// Times and dates in a `time` element.
import { classNames } from "./class-names.ts";
import { formatDay, formatMoment, formatRelative } from "./format.ts";

/** A time or a day in UTC. `relative` shows how long ago it was; its tooltip and its text for screen readers have the exact time. */
export function Time({
  at,
  part = "moment",
  className,
}: {
  at: string;
  part?: "moment" | "day" | "relative";
  className?: string;
}) {
  const text = part === "moment" ? formatMoment(at) : part === "day" ? formatDay(at) : formatRelative(at);
  return (
    <time dateTime={at} title={formatMoment(at)} className={classNames("whitespace-nowrap tabular-nums", className)}>
      {text}
      {part === "relative" && <span className="sr-only"> ({formatMoment(at)})</span>}
    </time>
  );
}
