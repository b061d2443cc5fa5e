// When the calls of a key in its last minute were admitted, in memory. Moments are milliseconds since the epoch.
import { limits } from "../../contract/limits.ts";
import type { RateWindow } from "../keys/rate-limit.ts";

/** The calls of a key in its window. */
export interface CallTimes {
  /** The number of the newest call among the key's calls. */
  readonly newestNumber: number;
  /** Adds the key's next call. */
  add(at: number): void;
  /** The window that ends now, which is not before the one that was asked for last. */
  window(limit: number, now: number): RateWindow;
  /** When the call after the first `skip` calls in the window was admitted; undefined where only the ledger knows. */
  momentAfter(skip: number): number | undefined;
}

/** The number of calls in a window and the first of them: enough for as long as a transaction lasts. */
export class CountedCalls implements CallTimes {
  newestNumber: number;
  #oldestAt: number | undefined;
  #used: number;

  /** @param oldest number and time of the first call in the window. Calls are numbered, so it also says how many there were since */
  constructor(newestNumber: number, oldest: { readonly number: number; readonly at: number } | undefined) {
    this.newestNumber = newestNumber;
    this.#oldestAt = oldest?.at;
    this.#used = oldest ? newestNumber - oldest.number + 1 : 0;
  }

  add(at: number): void {
    this.newestNumber += 1;
    this.#oldestAt ??= at;
    this.#used += 1;
  }

  window(limit: number): RateWindow {
    return { limit, used: this.#used, oldestAt: this.#oldestAt };
  }

  momentAfter(): undefined {
    return undefined;
  }
}

const windowMilliseconds = limits.rateWindowSeconds * 1_000;
const capacityMin = 16;

/** Every call in the window, for as long as the process lasts. A key may make very many calls in a minute, so each takes eight bytes. */
export class RememberedCalls implements CallTimes {
  newestNumber: number;
  /** Oldest first. */
  #moments: Float64Array;
  /** The first moment in the window. */
  #first = 0;
  #end: number;

  constructor(newestNumber: number, moments: readonly number[] = []) {
    this.newestNumber = newestNumber;
    this.#moments = Float64Array.from(moments);
    this.#end = moments.length;
  }

  /** Whether all calls have left the window that ends now, and none is ahead of it. */
  isEmptyAt(now: number): boolean {
    return this.#first === this.#end || (this.#moments[this.#end - 1] ?? 0) <= now - windowMilliseconds;
  }

  add(at: number): void {
    this.newestNumber += 1;
    if (this.#end === this.#moments.length) this.#makeRoom();
    let place = this.#end;
    // Calls that a fast clock recorded come later.
    while (place > this.#first && (this.#moments[place - 1] ?? 0) > at) place -= 1;
    if (place < this.#end) this.#moments.copyWithin(place + 1, place, this.#end);
    this.#moments[place] = at;
    this.#end += 1;
  }

  window(limit: number, now: number): RateWindow {
    const [from, to] = [now - windowMilliseconds, now + windowMilliseconds];
    while (this.#first < this.#end && (this.#moments[this.#first] ?? 0) <= from) this.#first += 1;
    let end = this.#end;
    while (end > this.#first && (this.#moments[end - 1] ?? 0) > to) end -= 1;
    const used = end - this.#first;
    return { limit, used, oldestAt: used === 0 ? undefined : this.momentAfter(0) };
  }

  momentAfter(skip: number): number | undefined {
    return this.#moments[this.#first + skip];
  }

  #makeRoom(): void {
    const kept = this.#moments.subarray(this.#first, this.#end);
    const moments = new Float64Array(Math.max(capacityMin, kept.length + (kept.length >> 1)));
    moments.set(kept);
    this.#end -= this.#first;
    this.#first = 0;
    this.#moments = moments;
  }
}
