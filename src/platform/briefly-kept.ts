// Values that took long to make, and that the same workspace may need again soon.

export interface KeepingLimits {
  /** Of all values. */
  readonly bytesMax: number;
  /** Since the last use. */
  readonly milliseconds: number;
}

interface Kept<Value> {
  readonly identity: string;
  readonly value: Value;
  readonly bytes: number;
  readonly timer: Timer;
}

/** One value for each workspace. Where they are too large together, those that were not used for the longest time go first. */
export class BrieflyKept<Value> {
  readonly #limits: KeepingLimits;
  /** By workspace, the least recently used ones first. */
  readonly #kept = new Map<string, Kept<Value>>();
  #bytes = 0;

  constructor(given: KeepingLimits) {
    this.#limits = given;
  }

  /** @param identity of everything that decides the value, and of who may have it */
  get(workspace: string, identity: string): Value | undefined {
    const kept = this.#kept.get(workspace);
    if (kept?.identity !== identity) return undefined;
    this.set(workspace, identity, kept.value, kept.bytes);
    return kept.value;
  }

  set(workspace: string, identity: string, value: Value, bytes: number): void {
    this.#remove(workspace);
    const { bytesMax, milliseconds } = this.#limits;
    if (bytes > bytesMax) return;
    const timer = setTimeout(() => this.#remove(workspace), milliseconds).unref();
    this.#kept.set(workspace, { identity, value, bytes, timer });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= bytesMax) break;
      this.#remove(oldest);
    }
  }

  #remove(workspace: string): void {
    const kept = this.#kept.get(workspace);
    if (!kept) return;
    clearTimeout(kept.timer);
    this.#kept.delete(workspace);
    this.#bytes -= kept.bytes;
  }
}
