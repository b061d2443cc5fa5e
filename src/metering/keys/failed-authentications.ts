// Slows down guessing: 60 refused authentications in any 60 seconds of one client address, then further failing calls from there
// must wait. A valid key from the same address is still admitted (decisions, Rate limit).
import { limits } from "../../contract/limits.ts";
import { networkOf } from "../../platform/client-network.ts";
import type { Clock } from "../../platform/database/database.ts";

/** From this many addresses on, those without a recent failure are removed. */
const addressesSweptAtMin = 10_000;
/** Beyond this many, the addresses that were added first are forgotten. */
const addressesMax = 100_000;
const windowMilliseconds = limits.rateWindowSeconds * 1_000;

/** The failed authentications of each client address in the last minute. Each process counts for itself, in memory. */
export class FailedAuthentications {
  readonly #times = new Map<string, number[]>();
  #addressesSweptAt = addressesSweptAtMin;

  constructor(readonly clock: Clock) {}

  /** Counts a failure. @returns whole seconds to wait when there were too many, else undefined */
  add(address: string): number | undefined {
    const now = this.clock();
    const origin = networkOf(address);
    const recent = (this.#times.get(origin) ?? []).filter((time) => time > now - windowMilliseconds);
    const [oldest = now] = recent;
    const isTooMany = recent.length >= limits.failedAuthenticationsMax;
    if (!isTooMany) recent.push(now);
    if (this.#times.size >= this.#addressesSweptAt) this.#sweep(now);
    this.#times.set(origin, recent);
    if (this.#times.size > addressesMax) this.#times.delete(this.#times.keys().next().value ?? "");
    return isTooMany ? Math.max(1, Math.ceil((oldest + windowMilliseconds - now) / 1_000)) : undefined;
  }

  #sweep(now: number): void {
    for (const [origin, times] of this.#times)
      if ((times.at(-1) ?? 0) <= now - windowMilliseconds) this.#times.delete(origin);
    // Sweep again only after the map has doubled. Otherwise, in a flood of new addresses, each call would pay for a whole sweep.
    this.#addressesSweptAt = Math.max(addressesSweptAtMin, 2 * this.#times.size);
  }
}
