// Counts bytes that are on their way, in total and per key or person. In memory, for this process alone.

export interface InFlightLimits {
  readonly totalBytesMax: number;
  readonly keyBytesMax: number;
}

export class InFlight {
  readonly #limits: InFlightLimits;
  #bytes = 0;
  #count = 0;
  readonly #bytesOfKey = new Map<string, number>();

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  get inFlight(): { readonly count: number; readonly bytes: number } {
    return { count: this.#count, bytes: this.#bytes };
  }

  /** Whether the limits leave room for so many bytes. */
  hasRoom(key: string, bytes: number): boolean {
    const { totalBytesMax, keyBytesMax } = this.#limits;
    return this.#bytes + bytes <= totalBytesMax && (this.#bytesOfKey.get(key) ?? 0) + bytes <= keyBytesMax;
  }

  /** @returns the function that ends the reservation; undefined when the limits leave no room */
  reserve(key: string, bytes: number): (() => void) | undefined {
    if (!this.hasRoom(key, bytes)) return undefined;
    this.#add(key, 1, bytes);
    return () => this.#add(key, -1, -bytes);
  }

  #add(key: string, count: number, bytes: number): void {
    this.#count += count;
    this.#bytes += bytes;
    const ofKey = (this.#bytesOfKey.get(key) ?? 0) + bytes;
    if (ofKey === 0) this.#bytesOfKey.delete(key);
    else this.#bytesOfKey.set(key, ofKey);
  }
}
