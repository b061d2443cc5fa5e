// What waits for the next transaction of the one writer, in fair turns. Short calls and long ones go in groups of their own, one after the
// other, so that a short one waits for few long ones.
import { FairQueue, type Owner, type QueueState } from "../fair-queue.ts";
import { queueLimits } from "../queue-limits.ts";

export interface WaitingCall {
  readonly owner: Owner;
  readonly isShort: boolean;
  /** See `GroupedCall`. */
  readonly weight: number;
}

/** Of 64 connections that read, all calls share a commit. */
const groupWeight = 64;
/** A commit that takes longer is worth more calls: otherwise a slow disk would do nothing but commit. */
const commitMilliseconds = 4;
const groupWeightMax = 8 * groupWeight;

export class WaitingCalls<Call extends WaitingCall> {
  readonly #short = new FairQueue<Call>(queueLimits.shortCalls);
  readonly #long = new FairQueue<Call>(queueLimits.longCalls);
  #isLongNext = false;
  #putBack: Call[] = [];

  get size(): number {
    return this.#short.size + this.#long.size + this.#putBack.length;
  }

  get states(): readonly QueueState[] {
    return [
      { name: "requests", waiting: this.#short.size, max: queueLimits.shortCalls.total },
      { name: "long_requests", waiting: this.#long.size, max: queueLimits.longCalls.total },
    ];
  }

  /** @returns false where too many wait already */
  push(call: Call): boolean {
    return (call.isShort ? this.#short : this.#long).push(call.owner, call);
  }

  /**
   * Takes the next group.
   * @param lastCommitMilliseconds how long the last commit took
   * @param mayBeLong false: none where only long calls wait
   */
  take(lastCommitMilliseconds: number, mayBeLong: boolean): Call[] {
    const isLongWaiting = this.#putBack.length + this.#long.size > 0;
    const isLong = isLongWaiting && mayBeLong && (this.#short.size === 0 || this.#isLongNext);
    this.#isLongNext = !isLong;
    if (isLong && this.#putBack.length > 0) return this.#putBack.splice(0);
    const queue = isLong ? this.#long : this.#short;
    const enough = Math.min(groupWeightMax, groupWeight * Math.max(1, lastCommitMilliseconds / commitMilliseconds));
    const group: Call[] = [];
    for (let weight = 0; weight < enough; ) {
      const call = queue.shift();
      if (!call) break;
      group.push(call);
      weight += call.weight;
    }
    return group;
  }

  /** Of the last group: what it has no time for is the next group of its kind. */
  putBack(calls: readonly Call[]): void {
    this.#putBack.push(...calls);
  }
}
