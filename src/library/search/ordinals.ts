// Sets of documents of a segment, by their ordinals.

/** Kept as bits, or as a list where it is so short that the list is smaller. */
export class OrdinalSet {
  readonly #size: number;
  readonly #bits: Uint32Array | undefined;
  /** Ascends. */
  readonly #list: Uint32Array;

  private constructor(size: number, bits: Uint32Array | undefined, list: Uint32Array) {
    this.#size = size;
    this.#bits = bits;
    this.#list = list;
  }

  /** @param ordinals in any order; some may come more than once */
  static of(size: number, ordinals: readonly number[]): OrdinalSet {
    if (ordinals.length <= size >>> 5) return new OrdinalSet(size, undefined, toList(ordinals));
    const bits = new Uint32Array((size + 31) >>> 5);
    for (let index = 0; index < ordinals.length; index += 1) {
      const ordinal = ordinals[index] ?? 0;
      bits[ordinal >>> 5] = (bits[ordinal >>> 5] ?? 0) | (1 << (ordinal & 31));
    }
    return new OrdinalSet(size, bits, none);
  }

  static all(size: number): OrdinalSet {
    const bits = new Uint32Array((size + 31) >>> 5).fill(0xffff_ffff);
    const rest = size & 31;
    if (rest > 0) bits[bits.length - 1] = (2 ** rest - 1) >>> 0;
    return new OrdinalSet(size, bits, none);
  }

  /** What at least one of the sets has. They are of the same segment. */
  static union(size: number, sets: readonly OrdinalSet[]): OrdinalSet {
    const filled = sets.filter(({ isEmpty }) => !isEmpty);
    if (filled.length <= 1) return filled[0] ?? OrdinalSet.of(size, []);
    if (filled.every((set) => set.#bits === undefined))
      return OrdinalSet.of(
        size,
        filled.flatMap((set) => [...set.#list]),
      );
    const bits = new Uint32Array((size + 31) >>> 5);
    for (const set of filled)
      if (set.#bits)
        for (let word = 0; word < bits.length; word += 1) bits[word] = (bits[word] ?? 0) | (set.#bits[word] ?? 0);
      else for (const ordinal of set.#list) bits[ordinal >>> 5] = (bits[ordinal >>> 5] ?? 0) | (1 << (ordinal & 31));
    return new OrdinalSet(size, bits, none);
  }

  /** The memory it takes. */
  get bytes(): number {
    return (this.#bits ?? this.#list).byteLength;
  }

  /** Only sets that are lists are known to be empty. */
  get isEmpty(): boolean {
    return this.#bits === undefined && this.#list.length === 0;
  }

  /** False also where it is not known without counting. */
  isShorterThan(length: number): boolean {
    return this.#bits === undefined && this.#list.length < length;
  }

  has(ordinal: number): boolean {
    if (this.#bits) return ((this.#bits[ordinal >>> 5] ?? 0) & (1 << (ordinal & 31))) !== 0;
    return this.#list[countBelow(this.#list, ordinal)] === ordinal;
  }

  /** What both sets have. */
  intersect(other: OrdinalSet): OrdinalSet {
    const [one, two] = [this.#bits, other.#bits];
    if (one && two) {
      const bits = new Uint32Array(one.length);
      for (let word = 0; word < bits.length; word += 1) bits[word] = (one[word] ?? 0) & (two[word] ?? 0);
      return new OrdinalSet(this.#size, bits, none);
    }
    const [short, long] = two || (!one && this.#list.length < other.#list.length) ? [this, other] : [other, this];
    return new OrdinalSet(
      this.#size,
      undefined,
      short.#list.filter((ordinal) => long.has(ordinal)),
    );
  }

  /** The greatest ordinal below `below`; -1 if there is none. */
  lastBelow(below: number): number {
    const bits = this.#bits;
    if (!bits) return this.#list[countBelow(this.#list, below) - 1] ?? -1;
    let word = (below - 1) >> 5;
    if (word < 0) return -1;
    const inWord = below & 31;
    let rest = (bits[word] ?? 0) & (inWord === 0 ? -1 : 2 ** inWord - 1);
    while (rest === 0) {
      word -= 1;
      if (word < 0) return -1;
      rest = bits[word] ?? 0;
    }
    return (word << 5) + 31 - Math.clz32(rest);
  }
}

const none = new Uint32Array();

function toList(ordinals: readonly number[]): Uint32Array {
  const list = Uint32Array.from(ordinals);
  for (let index = 1; index < list.length; index += 1)
    if ((list[index] ?? 0) <= (list[index - 1] ?? 0)) return Uint32Array.from(new Set(list.sort()));
  return list;
}

/** How many numbers of an ascending list are below this one. */
function countBelow(list: Uint32Array, number: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
