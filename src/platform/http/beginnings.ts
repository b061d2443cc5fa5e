// When a request that has arrived is begun: not before all that came with it was read, so many of a connection at a time, and in fair turns.
// A flood of requests then costs others a part of a round of the event loop, and no more.
import { FairQueue, type Owner } from "../fair-queue.ts";
import { KeyedSemaphore } from "../keyed-semaphore.ts";
import { queueLimits } from "../queue-limits.ts";

/** Requests of one client that are begun at a time on one connection. Over HTTP/2 it may send 256 at once: the others wait for these. */
const begunMax = 32;
const beginMilliseconds = 10_000;
/** Requests that are begun in one round of the event loop. Clients and their connections take turns. */
const roundMax = 64;

export class Beginnings {
  readonly #begun = new KeyedSemaphore(begunMax);
  readonly #waiting = new FairQueue<() => void>(queueLimits.beginnings);
  #left = roundMax;
  #isInRound = false;
  #arrivals: Promise<void> | undefined;

  /**
   * Resolves when all that has arrived at this moment was read. Over HTTP/2, a flood of requests that are canceled at once arrives together
   * with the cancellations, and costs no more than reading it.
   */
  endOfArrivals(): Promise<void> {
    this.#arrivals ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#arrivals = undefined;
        resolve();
      });
    });
    return this.#arrivals;
  }

  /** @returns the function that ends the request; undefined where too many others of its client on its connection are still in progress */
  async begin(connection: Owner): Promise<(() => void) | undefined> {
    const end = await this.#begun.acquire(`${connection.key} ${connection.workspace}`, beginMilliseconds);
    if (!end || (await this.#turn(connection))) return end;
    end();
    return undefined;
  }

  /** @returns false where too many wait for a turn */
  #turn(connection: Owner): boolean | Promise<boolean> {
    if (!this.#isInRound) {
      this.#isInRound = true;
      setImmediate(this.#pass);
    }
    if (this.#left > 0) {
      this.#left -= 1;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    return this.#waiting.push(connection, () => resolve(true)) && promise;
  }

  /** Begins a round. */
  readonly #pass = (): void => {
    this.#left = roundMax;
    this.#isInRound = this.#waiting.size > 0;
    if (this.#isInRound) setImmediate(this.#pass);
    for (; this.#left > 0; this.#left -= 1) {
      const proceed = this.#waiting.shift();
      if (!proceed) return;
      proceed();
    }
  };
}
