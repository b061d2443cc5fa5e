import { classNames } from "./class-names.ts";
import { formatDay, formatMoment, formatRelative } from "./format.ts";

/** A moment, always in UTC. `relative` says how long ago, and the moment itself when pointed at or read aloud. */
export function Time({
  at,
  part = "moment",
  className,
}: {
  at: string;
  part?: "moment" | "day" | "relative";
  className?: string;
}) {
  const text = part === "moment" ? formatMoment(at) : part === "day" ? `${formatDay(at)} UTC` : formatRelative(at);
  return (
    <time dateTime={at} title={formatMoment(at)} className={classNames("whitespace-nowrap tabular-nums", className)}>
      {text}
      {part === "relative" && <span className="sr-only"> ({formatMoment(at)})</span>}
    </time>
  );
}
