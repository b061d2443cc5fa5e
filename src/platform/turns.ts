// Long computations take turns: in each round of the event loop, one of them goes on. So other work of the process waits for one portion at
// most, however many there are.
import type { Breathe } from "./breather.ts";
import { FairQueue, type Owner, type QueueState } from "./fair-queue.ts";
import { queueLimits } from "./queue-limits.ts";

/** A computation that has gone on for so long waits for its next turn. */
const portionMilliseconds = 4;
/** After a round of the event loop that took so long, no turn begins for some rounds. */
const longRoundMilliseconds = 2;
/** So many that what arrived during the long round is read, carried out, and answered. Without it, these rounds take no time. */
const restingRounds = 3;

/**
 * How long small requests have to themselves after a turn, because each takes several round trips to PostgreSQL: twice as long as the turn
 * exceeded its portion, and at most as long as the turn.
 */
const restAfter = (milliseconds: number): number =>
  Math.max(0, Math.min(milliseconds, 2 * (milliseconds - portionMilliseconds)));

export class Turns {
  readonly #waiting = new FairQueue<() => void>(queueLimits.turns);
  #takenAt: number | undefined;
  readonly #hasSmallRequests: () => boolean;
  #restingRounds = 0;
  /** What small requests have to themselves after these rounds. */
  #restMilliseconds = 0;
  #isGoingRound = false;
  #isOthersNext = true;

  /** @param hasSmallRequests whether there are requests that need little, which long turns make room for */
  constructor(hasSmallRequests: () => boolean) {
    this.#hasSmallRequests = hasSmallRequests;
  }

  get state(): QueueState {
    return { name: "turns", waiting: this.#waiting.size, max: this.#waiting.limits.total };
  }

  /** Whether something long that takes no turns may go: not in a resting round, and not twice while somebody waits for a turn. */
  get mayOthersGo(): boolean {
    return !this.#isResting && (this.#isOthersNext || this.#waiting.size === 0);
  }

  get #isResting(): boolean {
    return this.#restingRounds > 0;
  }

  /**
   * Waits for a turn, which lasts until its owner waits for something else.
   * @returns undefined where it begins at once; false where too many wait
   */
  take(owner: Owner): Promise<void> | undefined | false {
    if (this.#takenAt === undefined && !this.#isResting && this.#waiting.size === 0) {
      this.#begin();
      return undefined;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    return this.#waiting.push(owner, resolve) && promise;
  }

  /** Something that takes no turns took long: the next turn waits for some rounds. */
  rest(): void {
    this.#isOthersNext = false;
    this.#restingRounds = restingRounds;
    this.#goRound();
  }

  /** For a computation of many steps: it goes on at once, or in its next turn if the last one was a while ago. */
  breather(owner: Owner): Breathe {
    let portionEnd = 0;
    const begin = () => {
      portionEnd = performance.now() + portionMilliseconds;
      return undefined;
    };
    return () => {
      if (performance.now() < portionEnd) return undefined;
      const turn = this.take(owner);
      if (turn === undefined) return begin();
      // What has begun goes on, even where too many wait.
      return (turn || new Promise<void>(setImmediate)).then(begin);
    };
  }

  #begin(): void {
    this.#isOthersNext = true;
    this.#takenAt = performance.now();
    this.#goRound();
  }

  #goRound(): void {
    if (this.#isGoingRound) return;
    this.#isGoingRound = true;
    setImmediate(this.#round);
  }

  readonly #round = (): void => {
    this.#isGoingRound = false;
    this.#endTurn();
    if (this.#isResting) {
      this.#restingRounds -= 1;
      // What arrived during the long round has begun by now.
      if (!this.#isResting && this.#restMilliseconds > 0) this.#restForSmallRequests();
    } else {
      const proceed = this.#waiting.shift();
      if (proceed) this.#begin();
      proceed?.();
    }
    if (this.#isResting || this.#waiting.size > 0) this.#goRound();
  };

  #endTurn(): void {
    if (this.#takenAt === undefined) return;
    const took = performance.now() - this.#takenAt;
    this.#takenAt = undefined;
    if (took >= longRoundMilliseconds) this.#restingRounds = restingRounds;
    this.#restMilliseconds = restAfter(took);
  }

  #restForSmallRequests(): void {
    const milliseconds = this.#restMilliseconds;
    this.#restMilliseconds = 0;
    if (!this.#hasSmallRequests()) return;
    this.#restingRounds = 1;
    this.#isGoingRound = true;
    setTimeout(this.#round, milliseconds);
  }
}
