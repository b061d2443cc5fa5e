// Bounds the large bodies that are read at the same time, so that slow uploads can not fill the memory.
import { limits } from "../contract/limits.ts";

const bytesInAllMax = 32 * limits.requestBodyBytesMax;
const bytesOfOneKeyMax = 8 * limits.requestBodyBytesMax;

/** The bytes that are promised to uploads under way, in all and for each key. Kept in memory, by each process for itself. */
export class Uploads {
  #bytes = 0;
  readonly #bytesOfKey = new Map<string, number>();

  /** Takes room for a body of so many bytes. @returns what gives it back, undefined where there is none now */
  begin(key: string, bytes: number): (() => void) | undefined {
    const ofKey = this.#bytesOfKey.get(key) ?? 0;
    if (this.#bytes + bytes > bytesInAllMax || ofKey + bytes > bytesOfOneKeyMax) return undefined;
    this.#add(key, bytes);
    return () => this.#add(key, -bytes);
  }

  #add(key: string, bytes: number): void {
    this.#bytes += bytes;
    const ofKey = (this.#bytesOfKey.get(key) ?? 0) + bytes;
    if (ofKey === 0) this.#bytesOfKey.delete(key);
    else this.#bytesOfKey.set(key, ofKey);
  }
}
