// A bar that shows how much of something is used.
import { classNames } from "./class-names.ts";
import { formatPercent } from "./format.ts";

/** With a smaller share left, the bar shows a warning. */
const lowShare = 0.2;

/** @param what is used, as the end of a sentence: "of the storage used" */
export function ShareBar({ share, what }: { share: number; what: string }) {
  return (
    <div
      role="img"
      aria-label={`${formatPercent(share)} ${what}`}
      className="bg-sunken h-2 overflow-hidden rounded-full"
    >
      <div
        className={classNames(
          "h-full rounded-full",
          share >= 1 ? "bg-danger" : 1 - share <= lowShare ? "bg-warn" : "bg-accent",
        )}
        style={{ width: formatPercent(Math.min(1, share)) }}
      />
    </div>
  );
}
