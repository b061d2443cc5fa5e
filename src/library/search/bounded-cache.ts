// Values that are kept as long as they fit into a given memory: those that were not used for the longest time go first.

/** What a key and its place in a map take, in bytes, roughly. */
const entryBytes = 200;

export class BoundedCache<Value> {
  readonly #bytesMax: number;
  /** The least recently used ones come first. */
  readonly #entries = new Map<string, { readonly value: Value; readonly bytes: number }>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, bytes: number): void {
    this.#remove(key);
    this.#entries.set(key, { value, bytes: bytes + entryBytes });
    this.#bytes += bytes + entryBytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
