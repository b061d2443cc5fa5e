// The bytes of large bodies on their way, in total and for each workspace and each key or person. In memory, for this process alone.
import type { Owner } from "./fair-queue.ts";

export interface BytesMax {
  readonly total: number;
  readonly workspace: number;
  readonly key: number;
}

/** Smaller ones are left to the runtime: a collection of everything stops the process for 20 ms, and thousands of them would cause one after another. */
const collectedFromBytes = 1024 * 1024;

export class InFlight {
  readonly #bytesMax: BytesMax;
  readonly #collectedBytes: number;
  #bytes = 0;
  #count = 0;
  #bytesDone = 0;
  readonly #ofWorkspace = new Map<string, number>();
  readonly #ofKey = new Map<string, number>();

  /** @param collectedBytes After so many bytes that are done with, memory is given back. The runtime would wait for several times as much. */
  constructor(bytesMax: BytesMax, collectedBytes: number) {
    this.#bytesMax = bytesMax;
    this.#collectedBytes = collectedBytes;
  }

  get inFlight(): { readonly count: number; readonly bytes: number; readonly bytesMax: number } {
    return { count: this.#count, bytes: this.#bytes, bytesMax: this.#bytesMax.total };
  }

  /** @returns the function that ends the reservation; undefined when the limits leave no room */
  reserve(owner: Owner, bytes: number): (() => void) | undefined {
    const ofWorkspace = this.#ofWorkspace.get(owner.workspace) ?? 0;
    const ofKey = this.#ofKey.get(owner.key) ?? 0;
    const { total, workspace, key } = this.#bytesMax;
    if (this.#bytes + bytes > total || ofWorkspace + bytes > workspace || ofKey + bytes > key) return undefined;
    this.#add(owner, 1, bytes);
    return () => {
      this.#add(owner, -1, -bytes);
      this.#collect(bytes);
    };
  }

  #add({ workspace, key }: Owner, count: number, bytes: number): void {
    this.#count += count;
    this.#bytes += bytes;
    addTo(this.#ofWorkspace, workspace, bytes);
    addTo(this.#ofKey, key, bytes);
  }

  #collect(bytes: number): void {
    if (bytes < collectedFromBytes) return;
    this.#bytesDone += bytes;
    if (this.#bytesDone < this.#collectedBytes) return;
    this.#bytesDone = 0;
    // Later: whoever is done may still hold the body.
    setImmediate(() => Bun.gc(true));
  }
}

function addTo(counts: Map<string, number>, name: string, bytes: number): void {
  const sum = (counts.get(name) ?? 0) + bytes;
  if (sum === 0) counts.delete(name);
  else counts.set(name, sum);
}
