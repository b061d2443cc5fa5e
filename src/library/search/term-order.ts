// The order of the terms of a segment that is made. Some characters of a term and its place are one number, and numbers are sorted natively.
import { rankOf } from "./blocks.ts";

/** So few numbers are sorted faster here than natively. */
const insertionMax = 12;
/** So many terms are sorted at once: that takes less than a millisecond. */
const sortedAtOnce = 2_048;

/** Terms, each of which begins where the one before it ends, by place. */
export interface Terms {
  readonly units: Uint16Array;
  readonly starts: Int32Array;
  readonly size: number;
  /** 1 for each code unit that occurs in them. */
  readonly isUsed: Uint8Array;
}

/** Sorts terms as far as it is asked for. */
export class TermOrder {
  readonly #terms: Terms;
  /** For each code unit its rank among those that occur, from 1 on. */
  readonly #ranks = new Uint16Array(0x10000);
  /** Greater than all ranks. */
  readonly #base: number;
  /** The characters that fit in a number beside the place. */
  readonly #keyLength: number;
  /** Greater than all places, and a power of two: so division by it is exact. */
  readonly #scale: number;
  /** The characters of each term from some depth on as a number, times the scale, plus its place. Behind the end of a term, they are 0. */
  readonly #values: Float64Array;
  /** Up to here, `#values` are in the order of the terms. */
  #sortedEnd = 0;
  /** Where each range ends that is still to be sorted, the first one on top. */
  readonly #rangeEnds: number[];
  #next = 0;

  constructor(terms: Terms) {
    this.#terms = terms;
    const { isUsed, size } = terms;
    const used: number[] = [];
    for (let unit = 0; unit < isUsed.length; unit += 1) if (isUsed[unit] === 1) used.push(unit);
    used.sort((left, right) => rankOf(left) - rankOf(right));
    for (const [index, unit] of used.entries()) this.#ranks[unit] = index + 1;
    // Without terms, too, characters have to take room.
    this.#base = Math.max(2, used.length + 1);
    this.#scale = 2 ** Math.ceil(Math.log2(size + 1));
    let keyLength = 0;
    for (let room = 2 ** 53 / this.#scale; room >= this.#base; room /= this.#base) keyLength += 1;
    this.#keyLength = keyLength;
    this.#values = new Float64Array(size);
    for (let place = 0; place < size; place += 1) this.#values[place] = this.#valueOf(place, 0);
    this.#rangeEnds = [size];
  }

  /** @returns the place of the next term; -1 at the end */
  next(): number {
    if (this.#next === this.#sortedEnd && !this.#sortMore()) return -1;
    const place = this.#placeAt(this.#next);
    this.#next += 1;
    return place;
  }

  #sortMore(): boolean {
    const low = this.#sortedEnd;
    let end = this.#rangeEnds.pop();
    if (end === undefined || end === low) return false;
    while (end - low > sortedAtOnce) {
      const middle = this.#divide(low, end);
      if (middle === end) break;
      this.#rangeEnds.push(end);
      end = middle;
    }
    this.#sort(low, end, 0);
    this.#sortedEnd = end;
    return true;
  }

  /** Moves smaller numbers to the front. Those with the same characters stay together. @returns where the others begin; `high` where all have the same */
  #divide(low: number, high: number): number {
    const scale = this.#scale;
    const values = this.#values;
    const first = Math.floor((values[(low + high) >>> 1] ?? 0) / scale) * scale;
    for (const pivot of [first, first + scale]) {
      let less = low;
      for (let index = low; index < high; index += 1) {
        const value = values[index] ?? 0;
        if (value >= pivot) continue;
        values[index] = values[less] ?? 0;
        values[less] = value;
        less += 1;
      }
      if (less > low) return less;
    }
    return high;
  }

  /** Sorts terms that are equal up to `depth`, and whose numbers are of the characters from there on. */
  #sort(low: number, high: number, depth: number): void {
    const values = this.#values;
    if (high - low > insertionMax) values.subarray(low, high).sort();
    else
      for (let index = low + 1; index < high; index += 1) {
        const value = values[index] ?? 0;
        let at = index;
        for (; at > low && (values[at - 1] ?? 0) > value; at -= 1) values[at] = values[at - 1] ?? 0;
        values[at] = value;
      }
    const scale = this.#scale;
    const deeper = depth + this.#keyLength;
    for (let start = low; start < high; ) {
      const next = (Math.floor((values[start] ?? 0) / scale) + 1) * scale;
      let end = start + 1;
      while (end < high && (values[end] ?? 0) < next) end += 1;
      if (end - start > 1) {
        for (let index = start; index < end; index += 1) values[index] = this.#valueOf(this.#placeAt(index), deeper);
        this.#sort(start, end, deeper);
      }
      start = end;
    }
  }

  #placeAt(index: number): number {
    const value = this.#values[index] ?? 0;
    return value - Math.floor(value / this.#scale) * this.#scale;
  }

  #valueOf(place: number, depth: number): number {
    const { units, starts } = this.#terms;
    const end = starts[place + 1] ?? 0;
    let at = (starts[place] ?? 0) + depth;
    let key = 0;
    for (const last = at + this.#keyLength; at < last; at += 1)
      key = key * this.#base + (at < end ? (this.#ranks[units[at] ?? 0] ?? 0) : 0);
    return key * this.#scale + place;
  }
}
