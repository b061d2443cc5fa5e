// How clocks go wrong, and the rate limit's window by brute force.
import type { Random, Weighted } from "./random.ts";

const windowMilliseconds = 60_000;
const [second, hour, day] = [1_000, 3_600_000, 86_400_000];

/** The calls of a key, by the time of its service. Those up to one window in the future count too: a fast clock recorded them. */
export class WindowModel {
  readonly #moments: number[] = [];

  count(now: number): number {
    const [from, to] = [now - windowMilliseconds, now + windowMilliseconds];
    return this.#moments.filter((moment) => moment > from && moment <= to).length;
  }

  add(now: number): void {
    this.#moments.push(now);
  }
}

export const monthOf = (moment: number): string => new Date(moment).toISOString().slice(0, 7);

export interface Step {
  readonly name: string;
  /** Milliseconds that really pass. */
  readonly elapsed: number;
  /** What the machine's clock says afterwards. */
  readonly wall: number;
}

const waits = [0, 1, 500, 3 * second, 20 * second, 59_999, 60_000, 60_001, 2 * hour];
const jumps = [
  ...[-30 * day, -2 * day, -hour, -61 * second, -60 * second, -30 * second, -second, -1],
  ...[1, second, hour, day, 20 * day],
];
const kinds: Weighted<"time passes" | "the clock steps" | "the month ends"> = [
  [12, "time passes"],
  [4, "the clock steps"],
  [1, "the month ends"],
];

/**
 * What happens to the clock next.
 * @param earliest it is not set back behind this moment
 */
export function chooseStep(random: Random, wall: number, earliest = Number.NEGATIVE_INFINITY): Step {
  const kind = random.weighted(kinds);
  if (kind === "time passes") {
    const elapsed = random.pick(waits);
    return { name: `${elapsed} ms pass`, elapsed, wall: wall + elapsed };
  }
  if (kind === "the clock steps") {
    const jump = random.pick(jumps.filter((jump) => wall + jump >= earliest));
    return { name: `the clock steps by ${jump} ms`, elapsed: 0, wall: wall + jump };
  }
  const date = new Date(wall);
  const border = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) + random.pick([-1, 0, 1]);
  return { name: `the clock steps to ${new Date(border).toISOString()}`, elapsed: 0, wall: border };
}

/**
 * The calls of a key by the time that really passed. Whatever a clock does, no more than the limit are in a window, unless the clock was set
 * forward within it: then more time passed for the service.
 */
export class RealWindow {
  #moments: number[] = [];
  /** When the clock last went wrong; before that, how many calls are admitted is exact. */
  #wrongAt = Number.NEGATIVE_INFINITY;

  /** @param jump how far the clock was set forward, or back if it is negative */
  step(elapsed: number, jump: number): void {
    if (jump === 0) return;
    this.#wrongAt = elapsed;
    if (jump > 0) this.#moments = [];
  }

  count(elapsed: number): number {
    return this.#moments.filter((moment) => moment > elapsed - windowMilliseconds).length;
  }

  /** Whether calls from the time of a wrong clock can still be in the window: set back by a window, the clock needs two to be right again. */
  isExact(elapsed: number): boolean {
    return elapsed - this.#wrongAt > 3 * windowMilliseconds;
  }

  add(elapsed: number): void {
    this.#moments.push(elapsed);
  }
}
