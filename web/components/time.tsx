import { classNames } from "./class-names.ts";
import { day, fromNow, moment } from "./format.ts";

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
  const text = part === "moment" ? moment(at) : part === "day" ? `${day(at)} UTC` : fromNow(at);
  return (
    <time dateTime={at} title={moment(at)} className={classNames("whitespace-nowrap tabular-nums", className)}>
      {text}
      {part === "relative" && <span className="sr-only"> ({moment(at)})</span>}
    </time>
  );
}
