// Long computations take turns: in each round of the event loop, one of them goes on. So other work of the process waits for one portion at
// most, however many there are.
import type { Breathe } from "./breather.ts";
import { FairQueue, type Owner, type QueueState } from "./fair-queue.ts";
import { queueLimits } from "./queue-limits.ts";

/** A computation that has gone on for so long waits for its next turn. */
const portionMilliseconds = 4;

export class Turns {
  readonly #waiting = new FairQueue<() => void>(queueLimits.turns);
  #isTaken = false;

  get state(): QueueState {
    return { name: "turns", waiting: this.#waiting.size, max: this.#waiting.limits.total };
  }

  /**
   * Waits for a turn, which lasts until its owner waits for something else.
   * @returns undefined where it begins at once; false where too many wait
   */
  take(owner: Owner): Promise<void> | undefined | false {
    if (!this.#isTaken) {
      this.#isTaken = true;
      setImmediate(this.#pass);
      return undefined;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    return this.#waiting.push(owner, resolve) && promise;
  }

  /** For a computation of many steps: it goes on at once, or in its next turn if the last one was a while ago. */
  breather(owner: Owner): Breathe {
    let portionEnd = performance.now() + portionMilliseconds;
    return () => {
      if (performance.now() < portionEnd) return undefined;
      // What has begun goes on, even where too many wait.
      const turn = this.take(owner) || new Promise<void>(setImmediate);
      return turn.then(() => {
        portionEnd = performance.now() + portionMilliseconds;
      });
    };
  }

  readonly #pass = (): void => {
    const proceed = this.#waiting.shift();
    this.#isTaken = proceed !== undefined;
    if (!proceed) return;
    setImmediate(this.#pass);
    proceed();
  };
}
