// A semaphore per key: a few callers hold a key at once, and the others wait in memory in the order in which they came.

export class KeyedSemaphore {
  /** The callers that wait for each key that is taken; how many hold it is in `#holders`. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #holders = new Map<string, number>();
  #size = 0;

  constructor(readonly holdersMax: number) {}

  /** How many callers wait. */
  get size(): number {
    return this.#size;
  }

  /** How many callers wait for a key. */
  waitingFor(key: string): number {
    return this.#waiting.get(key)?.length ?? 0;
  }

  /** @returns the function that releases the key, undefined when it was not free within the time */
  async acquire(key: string, milliseconds: number): Promise<(() => void) | undefined> {
    const holders = this.#holders.get(key) ?? 0;
    if (holders < this.holdersMax) this.#holders.set(key, holders + 1);
    else if (!(await this.#wait(key, milliseconds))) return undefined;
    return () => this.#release(key);
  }

  #wait(key: string, milliseconds: number): Promise<boolean> {
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.set(key, waiting);
    this.#size += 1;
    return new Promise((resolve) => {
      const proceed = () => {
        clearTimeout(timer);
        this.#size -= 1;
        resolve(true);
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(proceed), 1);
        this.#size -= 1;
        resolve(false);
      }, milliseconds);
      waiting.push(proceed);
    });
  }

  /** Passes the key to the caller that has waited longest. */
  #release(key: string): void {
    const next = this.#waiting.get(key)?.shift();
    if (next) {
      next();
      return;
    }
    this.#waiting.delete(key);
    const holders = (this.#holders.get(key) ?? 1) - 1;
    if (holders > 0) this.#holders.set(key, holders);
    else this.#holders.delete(key);
  }
}
