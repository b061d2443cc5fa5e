// Places for a few at a time, such as connections. The others wait, and get the places in fair turns.
import { FairQueue, type Owner, type QueueLimits, type QueueState } from "./fair-queue.ts";

/** Gives the place back. */
export type Release = () => void;

interface Waiting {
  readonly workspace: string;
  readonly proceed: () => void;
  hasGivenUp: boolean;
}

/** With fewer places, keeping one free would cost too much. */
const keptFreeFrom = 4;

export class FairSlots {
  readonly #name: string;
  readonly #max: number;
  readonly #heldMax: number;
  readonly #waiting: FairQueue<Waiting>;
  readonly #held = new Map<string, number>();
  #taken = 0;
  #drained: PromiseWithResolvers<void> | undefined;

  /** @param heldMax places that one workspace can hold at a time */
  constructor(name: string, max: number, limits: QueueLimits, heldMax = max < keptFreeFrom ? max : max - 1) {
    this.#name = name;
    this.#max = max;
    // By default, the last place is left to another workspace than the one that holds all others.
    this.#heldMax = heldMax;
    this.#waiting = new FairQueue(limits);
  }

  get state(): QueueState {
    return { name: this.#name, waiting: this.#waiting.size, max: this.#waiting.limits.total };
  }

  /** How many places are taken. */
  get taken(): number {
    return this.#taken;
  }

  /** Waits for a place. @returns "full" where too many wait already; "late" where none was free within the time */
  async acquire(owner: Owner, milliseconds: number): Promise<Release | "full" | "late"> {
    const { workspace } = owner;
    if (this.#taken < this.#max && this.#mayHold(workspace)) this.#take(workspace);
    else {
      const refusal = await this.#wait(owner, milliseconds);
      if (refusal) return refusal;
    }
    return () => this.#release(workspace);
  }

  /** Resolves when nobody holds a place or waits for one. */
  drained(): Promise<void> {
    if (this.#taken === 0) return Promise.resolve();
    this.#drained ??= Promise.withResolvers();
    return this.#drained.promise;
  }

  #wait(owner: Owner, milliseconds: number): Promise<"full" | "late" | undefined> {
    const { promise, resolve } = Promise.withResolvers<"full" | "late" | undefined>();
    const timer = setTimeout(() => {
      waiting.hasGivenUp = true;
      resolve("late");
    }, milliseconds);
    const end = (outcome: "full" | undefined) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    const waiting: Waiting = { workspace: owner.workspace, hasGivenUp: false, proceed: () => end(undefined) };
    if (!this.#waiting.push(owner, waiting)) end("full");
    return promise;
  }

  readonly #mayHold = (workspace: string): boolean => (this.#held.get(workspace) ?? 0) < this.#heldMax;

  #take(workspace: string): void {
    this.#taken += 1;
    this.#held.set(workspace, (this.#held.get(workspace) ?? 0) + 1);
  }

  #release(workspace: string): void {
    this.#taken -= 1;
    const held = (this.#held.get(workspace) ?? 1) - 1;
    if (held > 0) this.#held.set(workspace, held);
    else this.#held.delete(workspace);
    while (this.#taken < this.#max) {
      const next = this.#waiting.shift(this.#mayHold);
      if (!next) break;
      if (next.hasGivenUp) continue;
      this.#take(next.workspace);
      next.proceed();
    }
    if (this.#taken === 0) this.#drained?.resolve();
  }
}
