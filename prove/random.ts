// Random choices that follow from a seed, for sequences too long or too many for a property test to keep.

/** How much a choice weighs beside the others. */
export type Weighted<Value> = readonly (readonly [weight: number, value: Value])[];

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, but not including, 1: mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  isTrue(share = 0.5): boolean {
    return this.next() < share;
  }

  /** One of these, of which there is at least one. */
  pick<Value>(values: readonly Value[]): Value {
    return values[this.integer(0, values.length - 1)] as Value;
  }

  weighted<Value>(choices: Weighted<Value>): Value {
    let left = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of choices) {
      left -= weight;
      if (left < 0) return value;
    }
    return this.pick(choices)[1];
  }

  /** Up to so many different ones of these, in a random order. */
  some<Value>(values: readonly Value[], max: number): Value[] {
    const left = [...values];
    const count = this.integer(0, Math.min(max, left.length));
    return Array.from({ length: count }, () => left.splice(this.integer(0, left.length - 1), 1)[0] as Value);
  }

  /** A UUID of version 7 that nobody has. */
  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.integer(0, 15).toString(16)).join("");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
