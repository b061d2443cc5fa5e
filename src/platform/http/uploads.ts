// Limits the large bodies that are in memory at the same time: while they are read, and until their requests are done.
import { limits } from "../../contract/limits.ts";
import type { Owner } from "../fair-queue.ts";
import { InFlight } from "../in-flight.ts";

/** How long a body waits for room. */
const waitMilliseconds = 1_000;
const askAgainMilliseconds = 25;
/** So many wait. While one waits, its connection is not read. */
const waitingMax = 64;

export class Uploads extends InFlight {
  #waiting = 0;

  constructor() {
    const bytes = limits.requestBodyBytesMax;
    super({ total: 3 * bytes, workspace: 2 * bytes, key: 2 * bytes }, bytes);
  }

  /**
   * Reserves room, or waits for it. A refusal at once would cost more: part of the body has arrived already, and soon it comes again.
   * @returns the function that ends the reservation; undefined when there was no room
   */
  async reserveSoon(owner: Owner, bytes: number): Promise<(() => void) | undefined> {
    const until = performance.now() + (this.#waiting < waitingMax ? waitMilliseconds : 0);
    this.#waiting += 1;
    try {
      for (;;) {
        const release = this.reserve(owner, bytes);
        if (release || performance.now() >= until) return release;
        await Bun.sleep(askAgainMilliseconds);
      }
    } finally {
      this.#waiting -= 1;
    }
  }
}
