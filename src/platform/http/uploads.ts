// Limits the large bodies that are in memory at the same time: while they are read, and until their requests are done.
import { limits } from "../../contract/limits.ts";
import type { Owner } from "../fair-queue.ts";

const bytesMax = {
  total: 32 * limits.requestBodyBytesMax,
  workspace: 16 * limits.requestBodyBytesMax,
  key: 8 * limits.requestBodyBytesMax,
} as const;

/** The bytes reserved for large bodies, in total and for each workspace and each key or person. In memory, for this process alone. */
export class Uploads {
  #bytes = 0;
  #count = 0;
  readonly #ofWorkspace = new Map<string, number>();
  readonly #ofKey = new Map<string, number>();

  get inFlight(): { readonly count: number; readonly bytes: number; readonly bytesMax: number } {
    return { count: this.#count, bytes: this.#bytes, bytesMax: bytesMax.total };
  }

  /** @returns the function that ends the reservation; undefined when the limits leave no room */
  reserve(owner: Owner, bytes: number): (() => void) | undefined {
    const ofWorkspace = this.#ofWorkspace.get(owner.workspace) ?? 0;
    const ofKey = this.#ofKey.get(owner.key) ?? 0;
    if (this.#bytes + bytes > bytesMax.total) return undefined;
    if (ofWorkspace + bytes > bytesMax.workspace || ofKey + bytes > bytesMax.key) return undefined;
    this.#add(owner, 1, bytes);
    return () => this.#add(owner, -1, -bytes);
  }

  #add({ workspace, key }: Owner, count: number, bytes: number): void {
    this.#count += count;
    this.#bytes += bytes;
    addTo(this.#ofWorkspace, workspace, bytes);
    addTo(this.#ofKey, key, bytes);
  }
}

function addTo(counts: Map<string, number>, name: string, bytes: number): void {
  const sum = (counts.get(name) ?? 0) + bytes;
  if (sum === 0) counts.delete(name);
  else counts.set(name, sum);
}
