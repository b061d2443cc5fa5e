// The rate limit of a key: at most N admitted calls in any 60 seconds (decisions, section 8). A sliding log: the ledger's rows
// of the last minute are the log, so the limit is the same on every node and survives a restart.
import { limits } from "../../contract/limits.ts";
import { addMilliseconds } from "../../platform/time.ts";

/** How the last minute of a key looks. */
export interface RateWindow {
  /** Admitted calls allowed in any window. */
  readonly limit: number;
  /** Admitted calls in the window that ends now. */
  readonly used: number;
  /** When the call was admitted whose leaving makes room, undefined when the window is empty. */
  readonly oldestAt: string | undefined;
}

const windowMilliseconds = limits.rateWindowSeconds * 1_000;

/**
 * The window of which `now` is the end: calls admitted after `from`, up to `to`, which lies ahead, because calls that a clock
 * has stamped a little too late count as well.
 */
export const windowOf = (now: string): { from: string; to: string } => ({
  from: addMilliseconds(now, -windowMilliseconds),
  to: addMilliseconds(now, windowMilliseconds),
});

export const isFull = (window: RateWindow): boolean => window.used >= window.limit;

/** Whole seconds until the oldest call leaves the window: at least 1; waiting exactly that long is always enough. */
export const resetSeconds = (window: RateWindow, now: string): number => {
  const leavesAt = Date.parse(window.oldestAt ?? now) + windowMilliseconds;
  return Math.max(1, Math.ceil((leavesAt - Date.parse(now)) / 1_000));
};

/** The window once the call that is asked about has been admitted at `now`. */
export const withThisCall = (window: RateWindow, now: string): RateWindow => ({
  ...window,
  used: window.used + 1,
  oldestAt: window.oldestAt ?? now,
});
