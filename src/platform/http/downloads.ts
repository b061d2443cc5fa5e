// Limits the large responses that are on their way at the same time, so that slow readers cannot fill the memory.
import { limits } from "../../contract/limits.ts";
import { InFlight } from "./in-flight.ts";

/** A response up to this size is sent at once and not counted. */
export const smallResponseBytesMax = 64 * 1024;

export class Downloads extends InFlight {
  constructor() {
    super({ totalBytesMax: 3 * limits.responseBytesMax, keyBytesMax: limits.responseBytesMax });
  }
}

/** The room that one response takes. */
export class ResponseRoom {
  readonly #downloads: Downloads;
  #release: (() => void) | undefined;

  constructor(downloads: Downloads) {
    this.#downloads = downloads;
  }

  get isReserved(): boolean {
    return this.#release !== undefined;
  }

  /** Reserves room for a large response, instead of what was reserved before. @returns false where there is none */
  reserve(key: string, bytes: number): boolean {
    this.release();
    if (bytes <= smallResponseBytesMax) return true;
    this.#release = this.#downloads.reserve(key, bytes);
    return this.isReserved;
  }

  /** Whether there would be room for so many bytes. */
  fits(key: string, bytes: number): boolean {
    return this.#downloads.hasRoom(key, bytes);
  }

  release(): void {
    this.#release?.();
    this.#release = undefined;
  }
}
