// Which documents have which term, while a segment is made. Terms are found by the characters of the texts they are in, and kept as
// characters: making a string for each would take most of the time.
import { rankOf, type Units } from "./blocks.ts";

/** A term with its documents: `ordinals` from `from` to `to`. */
export interface Posting extends Units {
  readonly ordinals: Int32Array;
  readonly from: number;
  readonly to: number;
}

export class Postings {
  /** By hash: the place of a term, counted from 1; 0 for none. */
  #slots = new Int32Array(1 << 12);
  #size = 0;
  /** By place. */
  #hashes = new Int32Array(1 << 11);
  /** Where each term begins in `units`, by place; and where the next one will. */
  #starts = new Int32Array(1 << 11);
  /** The last document of a term, by place. */
  #last = new Int32Array(1 << 11);
  #counts = new Int32Array(1 << 11);
  /** The code units of all terms. */
  #units = new Uint16Array(1 << 15);
  /** Places and ordinals, as they came. */
  #pairs = new Int32Array(1 << 15);
  #pairsLength = 0;

  /** Adds the term that is `kind` and what lies in `text` from `start` to `end`. Ordinals do not descend. */
  add(ordinal: number, kind: string, text: string, start = 0, end = text.length): void {
    const first = kind.charCodeAt(0);
    let hash = first;
    for (let index = start; index < end; index += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    hash ^= hash >>> 12;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    let place = (this.#slots[slot] ?? 0) - 1;
    while (place >= 0 && !(this.#hashes[place] === hash && this.#isTerm(place, first, text, start, end))) {
      slot = (slot + 1) & mask;
      place = (this.#slots[slot] ?? 0) - 1;
    }
    if (place < 0) {
      place = this.#keep(hash, first, text, start, end);
      this.#slots[slot] = place + 1;
      if (this.#size * 2 > this.#slots.length) this.#growSlots();
    } else if (this.#last[place] === ordinal) return;
    this.#last[place] = ordinal;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    if (this.#pairsLength === this.#pairs.length) this.#pairs = grown(this.#pairs);
    this.#pairs[this.#pairsLength] = place;
    this.#pairs[this.#pairsLength + 1] = ordinal;
    this.#pairsLength += 2;
  }

  #isTerm(place: number, first: number, text: string, start: number, end: number): boolean {
    const units = this.#units;
    const from = this.#starts[place] ?? 0;
    if ((this.#starts[place + 1] ?? 0) - from - 1 !== end - start || units[from] !== first) return false;
    for (let index = start, at = from + 1; index < end; index += 1, at += 1)
      if (units[at] !== text.charCodeAt(index)) return false;
    return true;
  }

  #keep(hash: number, first: number, text: string, start: number, end: number): number {
    const place = this.#size;
    this.#size += 1;
    if (this.#size === this.#starts.length) {
      this.#starts = grown(this.#starts);
      this.#hashes = grown(this.#hashes);
      this.#last = grown(this.#last);
      this.#counts = grown(this.#counts);
    }
    let at = this.#starts[place] ?? 0;
    while (at + 1 + end - start > this.#units.length) this.#units = grown(this.#units);
    this.#units[at] = first;
    at += 1;
    for (let index = start; index < end; index += 1, at += 1) this.#units[at] = text.charCodeAt(index);
    this.#starts[this.#size] = at;
    this.#hashes[place] = hash;
    return place;
  }

  #growSlots(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let place = 0; place < this.#size; place += 1) {
      let slot = (this.#hashes[place] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = place + 1;
    }
    this.#slots = slots;
  }

  /** The terms in their order, each with its documents, which ascend. */
  *entries(): Generator<Posting, void> {
    const ends = new Int32Array(this.#size);
    let total = 0;
    for (let place = 0; place < this.#size; place += 1) {
      ends[place] = total;
      total += this.#counts[place] ?? 0;
    }
    const ordinals = new Int32Array(total);
    for (let at = 0; at < this.#pairsLength; at += 2) {
      const place = this.#pairs[at] ?? 0;
      const end = ends[place] ?? 0;
      ordinals[end] = this.#pairs[at + 1] ?? 0;
      ends[place] = end + 1;
    }
    for (const place of sortedPlaces(this.#units, this.#starts, this.#size)) {
      const to = ends[place] ?? 0;
      yield {
        units: this.#units,
        start: this.#starts[place] ?? 0,
        end: this.#starts[place + 1] ?? 0,
        ordinals,
        from: to - (this.#counts[place] ?? 0),
        to,
      };
    }
  }
}

function grown<Numbers extends Int32Array | Uint16Array>(numbers: Numbers): Numbers {
  // The constructor of an array makes an array of its own kind.
  const larger = new (numbers.constructor as new (length: number) => Numbers)(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

/** So few terms are sorted by comparing each with its neighbors. */
const insertionMax = 8;

/** The places of terms in the order of the terms: quicksort by one character after the other, as far as it is asked for. */
function* sortedPlaces(units: Uint16Array, starts: Int32Array, size: number): Generator<number, void> {
  const places = Int32Array.from({ length: size }, (_, place) => place);
  /** The rank of a character of a term, 0 behind its end. */
  const rankAt = (place: number, depth: number): number => {
    const at = (starts[place] ?? 0) + depth;
    return at < (starts[place + 1] ?? 0) ? rankOf(units[at] ?? 0) + 1 : 0;
  };
  const isBefore = (left: number, right: number, from: number): boolean => {
    for (let depth = from; ; depth += 1) {
      const [one, other] = [rankAt(left, depth), rankAt(right, depth)];
      if (one !== other || one === 0) return one < other;
    }
  };
  const swap = (one: number, other: number) => {
    const place = places[one] ?? 0;
    places[one] = places[other] ?? 0;
    places[other] = place;
  };
  /** Terms that are equal up to `depth`, the first ones on top. */
  const ranges = [{ low: 0, high: size, depth: 0 }];
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    const { low, high, depth } = range;
    if (high - low <= insertionMax) {
      for (let index = low + 1; index < high; index += 1)
        for (let at = index; at > low && isBefore(places[at] ?? 0, places[at - 1] ?? 0, depth); at -= 1)
          swap(at, at - 1);
      for (let index = low; index < high; index += 1) yield places[index] ?? 0;
      continue;
    }
    const pivot = rankAt(places[(low + high) >>> 1] ?? 0, depth);
    let [less, at, greater] = [low, low, high];
    while (at < greater) {
      const rank = rankAt(places[at] ?? 0, depth);
      if (rank < pivot) {
        swap(less, at);
        less += 1;
        at += 1;
      } else if (rank > pivot) {
        greater -= 1;
        swap(at, greater);
      } else at += 1;
    }
    ranges.push(
      { low: greater, high, depth },
      { low: less, high: greater, depth: depth + 1 },
      { low, high: less, depth },
    );
  }
}
