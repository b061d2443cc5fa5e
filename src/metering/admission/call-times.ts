// When the calls of a key in its last minute were admitted, in memory.

/** Calls by moment, oldest first. Calls at the same millisecond are one entry. */
export class CallTimes {
  readonly #entries: { readonly at: string; calls: number }[];
  /** The first entry in the window. */
  #first = 0;
  #total: number;

  constructor(entries: readonly { readonly at: string; readonly calls: number }[]) {
    this.#entries = entries.map((entry) => ({ ...entry }));
    this.#total = entries.reduce((sum, { calls }) => sum + calls, 0);
  }

  get total(): number {
    return this.#total;
  }

  get oldestAt(): string | undefined {
    return this.#entries[this.#first]?.at;
  }

  get newestAt(): string | undefined {
    return this.#entries.at(-1)?.at;
  }

  /** Forgets the calls up to this moment, which have left the window. */
  leaveUntil(moment: string): void {
    for (let oldest = this.#entries[this.#first]; oldest && oldest.at <= moment; oldest = this.#entries[this.#first]) {
      this.#total -= oldest.calls;
      this.#first += 1;
    }
    if (this.#first > 1_000 && this.#first > this.#entries.length / 2) {
      this.#entries.splice(0, this.#first);
      this.#first = 0;
    }
  }

  /** Adds a call at a moment that is not before the newest one. */
  add(at: string): void {
    const newest = this.#entries.at(-1);
    if (newest?.at === at && this.#entries.length > this.#first) newest.calls += 1;
    else this.#entries.push({ at, calls: 1 });
    this.#total += 1;
  }
}
