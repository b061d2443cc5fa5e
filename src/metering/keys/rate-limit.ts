// The rate limit of a key: at most N admitted calls in any 60 seconds (decisions, Rate limit). A sliding log: the ledger's rows
// of the last minute are the log, so the limit is the same on every node and survives a restart.
import { limits } from "../../contract/limits.ts";
import { addMilliseconds } from "../../platform/time.ts";

/** The calls of a key in its last minute. */
export interface RateWindow {
  /** Admitted calls allowed in any window. */
  readonly limit: number;
  /** Admitted calls in the window that ends now. */
  readonly used: number;
  /** When the oldest call in the window was admitted, in milliseconds since the epoch; undefined when the window is empty. */
  readonly oldestAt: number | undefined;
}

const windowMilliseconds = limits.rateWindowSeconds * 1_000;

/**
 * The window that ends now: calls admitted after `from`, up to `to`. That is in the future, so that calls with a timestamp of a fast
 * clock count as well.
 */
export const windowOf = (now: string): { from: string; to: string } => ({
  from: addMilliseconds(now, -windowMilliseconds),
  to: addMilliseconds(now, windowMilliseconds),
});

export const isFull = (window: RateWindow): boolean => window.used >= window.limit;

/** Whole seconds until the oldest call leaves the window: at least 1; waiting exactly that long is always enough. */
export const resetSeconds = (window: RateWindow, now: string): number => {
  const at = Date.parse(now);
  const leavesAt = (window.oldestAt ?? at) + windowMilliseconds;
  return Math.max(1, Math.ceil((leavesAt - at) / 1_000));
};
