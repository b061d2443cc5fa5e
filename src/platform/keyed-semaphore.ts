// Turns: those who need the same thing go on a few at a time, in the order in which they came, and the others wait in memory.

export class Turns {
  /** Who waits for each thing that somebody has; how many have it is in `#takers`. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #takers = new Map<string, number>();

  constructor(readonly takersMax: number) {}

  /** @returns what ends the turn, or undefined when it did not come in time */
  async take(thing: string, milliseconds: number): Promise<(() => void) | undefined> {
    const takers = this.#takers.get(thing) ?? 0;
    if (takers < this.takersMax) this.#takers.set(thing, takers + 1);
    else if (!(await this.#wait(thing, milliseconds))) return undefined;
    return () => this.#end(thing);
  }

  #wait(thing: string, milliseconds: number): Promise<boolean> {
    const waiting = this.#waiting.get(thing) ?? [];
    this.#waiting.set(thing, waiting);
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(go), 1);
        resolve(false);
      }, milliseconds);
      waiting.push(go);
    });
  }

  /** The turn goes to who has waited longest. */
  #end(thing: string): void {
    const next = this.#waiting.get(thing)?.shift();
    if (next) {
      next();
      return;
    }
    this.#waiting.delete(thing);
    const takers = (this.#takers.get(thing) ?? 1) - 1;
    if (takers > 0) this.#takers.set(thing, takers);
    else this.#takers.delete(thing);
  }
}
