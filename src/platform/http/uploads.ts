// Limits the large bodies that are read at the same time, so that slow uploads cannot fill the memory.
import { limits } from "../../contract/limits.ts";

const totalBytesMax = 32 * limits.requestBodyBytesMax;
const keyBytesMax = 8 * limits.requestBodyBytesMax;

/** The bytes reserved for uploads in flight, in total and per key or person. In memory, for this process alone. */
export class Uploads {
  #bytes = 0;
  #count = 0;
  readonly #bytesOfKey = new Map<string, number>();

  get inFlight(): { readonly count: number; readonly bytes: number } {
    return { count: this.#count, bytes: this.#bytes };
  }

  /** @returns the function that ends the reservation; undefined when the limits leave no room */
  reserve(key: string, bytes: number): (() => void) | undefined {
    const ofKey = this.#bytesOfKey.get(key) ?? 0;
    if (this.#bytes + bytes > totalBytesMax || ofKey + bytes > keyBytesMax) return undefined;
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
