// Which documents have which term, while a segment is made. Terms are found by the characters of the texts they are in, and kept as
// characters: making a string for each would take most of the time.
import { rankOf, type Units } from "./blocks.ts";

/** A term with its documents: `ordinals` from `from` to `to`. */
export interface Posting extends Units {
  readonly ordinals: Int32Array;
  readonly from: number;
  readonly to: number;
}

/** What is known of a term lies together, because terms are met in no order: its hash, where it begins, its last document, their number. */
const field = { hash: 0, start: 1, last: 2, count: 3 } as const;
const fieldsOfTerm = 4;

export class Postings {
  /** By hash: the place of a term, counted from 1; 0 for none. */
  #slots: Int32Array;
  /** The fields of the terms by place, and where the next one will begin. */
  #terms: Int32Array;
  #size = 0;
  /** The code units of all terms. */
  #units: Uint16Array;
  /** Places and ordinals, as they came. */
  #pairs: Int32Array;
  #pairsLength = 0;

  /** @param documents about how many there will be, so that little has to be moved */
  constructor(documents: number) {
    const size = 2 ** Math.ceil(Math.log2(documents + 1));
    this.#slots = new Int32Array(size * 32);
    this.#terms = new Int32Array(size * 16 * fieldsOfTerm);
    this.#units = new Uint16Array(size * 128);
    this.#pairs = new Int32Array(size * 128);
  }

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
    while (place >= 0 && !this.#isTerm(place, hash, first, text, start, end)) {
      slot = (slot + 1) & mask;
      place = (this.#slots[slot] ?? 0) - 1;
    }
    if (place < 0) {
      place = this.#keep(hash, first, text, start, end);
      this.#slots[slot] = place + 1;
      if (this.#size * 2 > this.#slots.length) this.#growSlots();
    }
    const terms = this.#terms;
    const at = place * fieldsOfTerm;
    const count = terms[at + field.count] ?? 0;
    if (count > 0 && terms[at + field.last] === ordinal) return;
    terms[at + field.last] = ordinal;
    terms[at + field.count] = count + 1;
    if (this.#pairsLength === this.#pairs.length) this.#pairs = grown(this.#pairs);
    this.#pairs[this.#pairsLength] = place;
    this.#pairs[this.#pairsLength + 1] = ordinal;
    this.#pairsLength += 2;
  }

  #isTerm(place: number, hash: number, first: number, text: string, start: number, end: number): boolean {
    const terms = this.#terms;
    const fields = place * fieldsOfTerm;
    if (terms[fields + field.hash] !== hash) return false;
    const units = this.#units;
    const from = terms[fields + field.start] ?? 0;
    if ((terms[fields + fieldsOfTerm + field.start] ?? 0) - from - 1 !== end - start || units[from] !== first)
      return false;
    for (let index = start, at = from + 1; index < end; index += 1, at += 1)
      if (units[at] !== text.charCodeAt(index)) return false;
    return true;
  }

  #keep(hash: number, first: number, text: string, start: number, end: number): number {
    const place = this.#size;
    this.#size += 1;
    if ((this.#size + 1) * fieldsOfTerm > this.#terms.length) this.#terms = grown(this.#terms);
    const fields = place * fieldsOfTerm;
    let at = this.#terms[fields + field.start] ?? 0;
    while (at + 1 + end - start > this.#units.length) this.#units = grown(this.#units);
    this.#units[at] = first;
    at += 1;
    for (let index = start; index < end; index += 1, at += 1) this.#units[at] = text.charCodeAt(index);
    this.#terms[fields + field.hash] = hash;
    this.#terms[fields + fieldsOfTerm + field.start] = at;
    return place;
  }

  #growSlots(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let place = 0; place < this.#size; place += 1) {
      let slot = (this.#terms[place * fieldsOfTerm + field.hash] ?? 0) & mask;
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
      total += this.#terms[place * fieldsOfTerm + field.count] ?? 0;
    }
    const ordinals = new Int32Array(total);
    for (let at = 0; at < this.#pairsLength; at += 2) {
      const place = this.#pairs[at] ?? 0;
      const end = ends[place] ?? 0;
      ordinals[end] = this.#pairs[at + 1] ?? 0;
      ends[place] = end + 1;
    }
    const starts = new Int32Array(this.#size + 1);
    for (let place = 0; place <= this.#size; place += 1)
      starts[place] = this.#terms[place * fieldsOfTerm + field.start] ?? 0;
    for (const place of sortedPlaces(this.#units, starts, this.#size)) {
      const to = ends[place] ?? 0;
      yield {
        units: this.#units,
        start: starts[place] ?? 0,
        end: starts[place + 1] ?? 0,
        ordinals,
        from: place > 0 ? (ends[place - 1] ?? 0) : 0,
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
/** The characters of a key, and the numbers that one of them can be. */
const keyLength = 3;
const keyBase = 2 ** 17;

/** The places of terms in the order of the terms: quicksort by a few characters after the other, as far as it is asked for. */
function* sortedPlaces(units: Uint16Array, starts: Int32Array, size: number): Generator<number, void> {
  const places = Int32Array.from({ length: size }, (_, place) => place);
  /** For each of `places`, its characters from the depth of its range on, as one number. Behind the end of a term, they are 0. */
  const keys = new Float64Array(size);
  const setKeys = (low: number, high: number, depth: number) => {
    for (let index = low; index < high; index += 1) {
      const place = places[index] ?? 0;
      const end = starts[place + 1] ?? 0;
      let at = (starts[place] ?? 0) + depth;
      let key = 0;
      for (const last = at + keyLength; at < last; at += 1)
        key = key * keyBase + (at < end ? rankOf(units[at] ?? 0) + 1 : 0);
      keys[index] = key;
    }
  };
  const swap = (one: number, other: number) => {
    const place = places[one] ?? 0;
    const key = keys[one] ?? 0;
    places[one] = places[other] ?? 0;
    keys[one] = keys[other] ?? 0;
    places[other] = place;
    keys[other] = key;
  };
  /** Terms that are equal up to `depth`, the first ones on top. */
  const ranges: { readonly low: number; readonly high: number; readonly depth: number; readonly isKeyed: boolean }[] = [
    { low: 0, high: size, depth: 0, isKeyed: false },
  ];
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    const { low, high, depth, isKeyed } = range;
    if (high - low === 1) {
      yield places[low] ?? 0;
      continue;
    }
    if (!isKeyed) setKeys(low, high, depth);
    if (high - low <= insertionMax) {
      for (let index = low + 1; index < high; index += 1)
        for (let at = index; at > low && (keys[at] ?? 0) < (keys[at - 1] ?? 0); at -= 1) swap(at, at - 1);
      // What is still equal is sorted by the characters that follow.
      for (let end = high; end > low; ) {
        let start = end - 1;
        while (start > low && keys[start - 1] === keys[start]) start -= 1;
        ranges.push({ low: start, high: end, depth: depth + keyLength, isKeyed: false });
        end = start;
      }
      continue;
    }
    const pivot = keys[(low + high) >>> 1] ?? 0;
    let [less, at, greater] = [low, low, high];
    while (at < greater) {
      const key = keys[at] ?? 0;
      if (key < pivot) {
        swap(less, at);
        less += 1;
        at += 1;
      } else if (key > pivot) {
        greater -= 1;
        swap(at, greater);
      } else at += 1;
    }
    ranges.push(
      { low: greater, high, depth, isKeyed: true },
      { low: less, high: greater, depth: depth + keyLength, isKeyed: false },
      { low, high: less, depth, isKeyed: true },
    );
  }
}
