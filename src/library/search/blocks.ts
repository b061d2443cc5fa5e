// The blocks in which a segment's terms lie: which documents have which term, in the order of the terms.
//
// A block is text, which both engines store and return as it is, and read faster than bytes. Terms are as they are; each number is one
// character, so that UTF-8 makes small numbers short. An entry is the number of characters that its term shares with the one before, the
// number of the others, these, the number of characters of its list, and the list: the distance of each document from the one before, from
// the second of a run of neighbors on, 0 and how many there are.
import type { Block } from "./segment.ts";
import { termKind } from "./terms.ts";

/** Stands for 0. It and what follows it needs no escape in JSON, which carries blocks to PostgreSQL. */
export const zero = 0x23;
/** The greatest number: no characters stand for what is above. */
const numberMax = 0xd7ff - zero;
/** In UTF-8. Rows of this size fill the pages of both engines. */
const blockBytesMax = 1_900;
const runMin = 3;
/** Terms have at most 33 characters, of which each may take two code units. */
export const termUnitsMax = 128;

/** A term: code units with a beginning and an end. */
export interface Units {
  readonly units: Uint16Array;
  readonly start: number;
  readonly end: number;
}

const coarseText = termKind.coarseText.charCodeAt(0);
const coarseName = termKind.coarseName.charCodeAt(0);

/** The bytes of a code unit in UTF-8. Two halves of a character take four bytes together. */
const bytesOf = (unit: number): number => (unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3);

/** Writes blocks. Terms come in their order. */
export class BlockWriter {
  /** What was written since it was taken. */
  #blocks: Block[] = [];
  hasCoarseTerms = false;
  readonly #units = new Uint16Array(blockBytesMax + 2 * termUnitsMax);
  readonly #written = Buffer.from(this.#units.buffer);
  #length = 0;
  #bytes = 0;
  #first: string | undefined;
  readonly #last = new Uint16Array(termUnitsMax);
  #lastLength = 0;
  #part = 0;
  #lastFirst: string | undefined;

  /** @param ordinals which ascend, from `from` to `to`, up to {@link numberMax} */
  add({ units, start, end }: Units, ordinals: Int32Array, from: number, to: number): void {
    if (to > from && (ordinals[to - 1] ?? 0) > numberMax) throw new Error("a segment has too many documents");
    const kind = units[start] ?? 0;
    if (kind === coarseText || kind === coarseName) this.hasCoarseTerms = true;
    const own = this.#units;
    for (let next = from; next < to; ) {
      const shared = this.#first === undefined ? 0 : this.#sharedLength(units, start, end);
      const rest = end - start - shared;
      let at = this.#length;
      own[at] = zero + shared;
      own[at + 1] = zero + rest;
      at += 2;
      let bytes = this.#bytes + 2;
      for (let index = start + shared; index < end; index += 1, at += 1) {
        const unit = units[index] ?? 0;
        own[at] = unit;
        bytes += bytesOf(unit);
      }
      // Room for the length of the list, and for three numbers of it.
      if (this.#length > 0 && bytes + 12 > blockBytesMax) {
        this.#end();
        continue;
      }
      if (this.#first === undefined) {
        this.#first = String.fromCharCode(...units.subarray(start, end));
        this.#part = this.#lastFirst === this.#first ? this.#part + 1 : 0;
      }
      const last = this.#last;
      for (let index = shared; index < end - start; index += 1) last[index] = units[start + index] ?? 0;
      this.#lastLength = end - start;
      this.#length = at;
      this.#bytes = bytes;
      next = this.#list(ordinals, next, to);
    }
  }

  /** @returns where the list goes on in the next block */
  #list(ordinals: Int32Array, from: number, to: number): number {
    const own = this.#units;
    let at = this.#length + 1;
    // The length of the list takes two bytes at most.
    let bytes = this.#bytes + 2;
    let previous = -1;
    let index = from;
    while (index < to && bytes + 6 <= blockBytesMax) {
      const ordinal = ordinals[index] ?? 0;
      const distance = zero + ordinal - previous;
      own[at] = distance;
      bytes += bytesOf(distance);
      at += 1;
      previous = ordinal;
      index += 1;
      let run = 0;
      while (index + run < to && ordinals[index + run] === ordinal + run + 1) run += 1;
      if (run < runMin || bytes + 6 > blockBytesMax) continue;
      own[at] = zero;
      own[at + 1] = zero + run;
      bytes += 1 + bytesOf(zero + run);
      at += 2;
      previous += run;
      index += run;
    }
    own[this.#length] = zero + at - this.#length - 1;
    this.#length = at;
    this.#bytes = bytes;
    return index;
  }

  #sharedLength(units: Uint16Array, start: number, end: number): number {
    const length = Math.min(this.#lastLength, end - start);
    let shared = 0;
    while (shared < length && this.#last[shared] === units[start + shared]) shared += 1;
    // Not between the two halves of a character.
    const unit = units[start + shared - 1] ?? 0;
    return shared > 0 && unit >= 0xd800 && unit <= 0xdbff ? shared - 1 : shared;
  }

  #end(): void {
    if (this.#first === undefined) return;
    const data = this.#written.toString("utf16le", 0, this.#length * 2);
    this.#blocks.push({ first_term: this.#first, part: this.#part, data });
    this.#lastFirst = this.#first;
    this.#first = undefined;
    this.#length = 0;
    this.#bytes = 0;
  }

  /** How many blocks can be taken. */
  get size(): number {
    return this.#blocks.length;
  }

  /** The blocks that are full. */
  take(): Block[] {
    const taken = this.#blocks;
    this.#blocks = [];
    return taken;
  }

  /** The last blocks. */
  finish(): Block[] {
    this.#end();
    return this.take();
  }
}

/** Reads the entries of a block one after the other. */
export class BlockReader implements Units {
  /** The code units of the current term. */
  readonly units = new Uint16Array(termUnitsMax);
  readonly start = 0;
  end = 0;
  #data: string;
  #listStart = 0;
  #listEnd = 0;

  constructor(data: string) {
    this.#data = data;
  }

  /** Goes on with another block. */
  open(data: string): void {
    this.#data = data;
    this.#listEnd = 0;
  }

  /** Goes to the next entry. @returns false at the end */
  next(): boolean {
    const data = this.#data;
    let at = this.#listEnd;
    if (at >= data.length) return false;
    const shared = data.charCodeAt(at) - zero;
    this.end = shared + data.charCodeAt(at + 1) - zero;
    at += 2;
    for (let index = shared; index < this.end; index += 1) {
      this.units[index] = data.charCodeAt(at);
      at += 1;
    }
    this.#listStart = at + 1;
    this.#listEnd = at + 1 + data.charCodeAt(at) - zero;
    return true;
  }

  /** Calls `take` with each ordinal of the entry. */
  visit(take: (ordinal: number) => void): void {
    visitList(this.#data, this.#listStart, this.#listEnd, take);
  }
}

/** Calls `take` with each ordinal of the list that lies in a block from `start` to `end`. */
export function visitList(data: string, start: number, end: number, take: (ordinal: number) => void): void {
  let ordinal = -1;
  for (let at = start; at < end; at += 1) {
    const distance = data.charCodeAt(at) - zero;
    if (distance > 0) {
      ordinal += distance;
      take(ordinal);
      continue;
    }
    at += 1;
    for (let run = data.charCodeAt(at) - zero; run > 0; run -= 1) {
      ordinal += 1;
      take(ordinal);
    }
  }
}

/** In the order of the databases, which is that of code points: the halves of the characters behind U+FFFF come last. */
export const rankOf = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/** Compares terms as both databases do. */
export function compareTerms(left: Units, right: Units): number {
  const length = Math.min(left.end - left.start, right.end - right.start);
  for (let index = 0; index < length; index += 1) {
    const one = left.units[left.start + index] ?? 0;
    const other = right.units[right.start + index] ?? 0;
    if (one !== other) return rankOf(one) - rankOf(other);
  }
  return left.end - left.start - (right.end - right.start);
}
