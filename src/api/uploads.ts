// Bounds the large bodies that are read at the same time, so that slow uploads can not fill the memory.
import { limits } from "../contract/limits.ts";

const bytesInAllMax = 32 * limits.requestBodyBytesMax;
const bytesOfOneKeyMax = 8 * limits.requestBodyBytesMax;

/** The bytes that are promised to uploads under way, in all and for each key. Kept in memory, by each process for itself. */
export class Uploads {
  #bytes = 0;
  #count = 0;
  readonly #bytesOfKey = new Map<string, number>();

  /** How many are under way now, and the bytes promised to them. */
  get underWay(): { readonly count: number; readonly bytes: number } {
    return { count: this.#count, bytes: this.#bytes };
  }

  /** Takes room for a body of so many bytes. @returns what gives it back, undefined where there is none now */
  begin(key: string, bytes: number): (() => void) | undefined {
    const ofKey = this.#bytesOfKey.get(key) ?? 0;
    if (this.#bytes + bytes > bytesInAllMax || ofKey + bytes > bytesOfOneKeyMax) return undefined;
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
