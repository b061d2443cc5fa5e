// Which documents have which term, while a segment is made. Terms are found by the characters of the texts they are in: making a string
// for each occurrence would take most of the time.
import { sortTerms } from "./segment.ts";

export class Postings {
  /** By hash: the place of a term, counted from 1; 0 for none. */
  #slots = new Int32Array(1 << 12);
  readonly #hashes: number[] = [];
  /** The code units of all terms, and where each begins. */
  #units = new Uint16Array(1 << 16);
  readonly #starts: number[] = [0];
  /** One ordinal, or several. */
  readonly #ordinals: (number | number[])[] = [];

  /** Adds the term that lies in `text` from `start` to `end`. Ordinals of a term do not descend. */
  add(ordinal: number, text: string, start = 0, end = text.length): void {
    const hash = hashOf(text, start, end);
    const slot = this.#slotOf(hash, text, start, end);
    const place = (this.#slots[slot] ?? 0) - 1;
    if (place < 0) {
      this.#slots[slot] = this.#ordinals.push(ordinal);
      this.#hashes.push(hash);
      this.#keep(text, start, end);
      if (this.#ordinals.length * 2 > this.#slots.length) this.#grow();
      return;
    }
    const known = this.#ordinals[place];
    if (typeof known !== "object") {
      if (known !== ordinal) this.#ordinals[place] = [known ?? 0, ordinal];
    } else if (known[known.length - 1] !== ordinal) known.push(ordinal);
  }

  /** The slot of a term, or the one where it belongs. */
  #slotOf(hash: number, text: string, start: number, end: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const place = (this.#slots[slot] ?? 0) - 1;
      if (place < 0) return slot;
      if (this.#hashes[place] === hash && this.#isTerm(place, text, start, end)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #isTerm(place: number, text: string, start: number, end: number): boolean {
    const from = this.#starts[place] ?? 0;
    if ((this.#starts[place + 1] ?? 0) - from !== end - start) return false;
    for (let index = start; index < end; index += 1)
      if (this.#units[from + index - start] !== text.charCodeAt(index)) return false;
    return true;
  }

  #keep(text: string, start: number, end: number): void {
    const from = this.#starts.at(-1) ?? 0;
    if (from + end - start > this.#units.length) {
      const units = new Uint16Array(2 * (this.#units.length + end - start));
      units.set(this.#units);
      this.#units = units;
    }
    for (let index = start; index < end; index += 1) this.#units[from + index - start] = text.charCodeAt(index);
    this.#starts.push(from + end - start);
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (const [place, hash] of this.#hashes.entries()) {
      let slot = hash & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = place + 1;
    }
    this.#slots = slots;
  }

  /** The terms in their order, each with its ordinals, which ascend. */
  *entries(): Generator<readonly [string, readonly number[]], void> {
    const units = Buffer.from(this.#units.buffer);
    const terms = this.#ordinals.map((_, place) =>
      units.toString("utf16le", 2 * (this.#starts[place] ?? 0), 2 * (this.#starts[place + 1] ?? 0)),
    );
    for (const term of sortTerms(terms)) {
      const slot = this.#slotOf(hashOf(term, 0, term.length), term, 0, term.length);
      const known = this.#ordinals[(this.#slots[slot] ?? 0) - 1] ?? [];
      yield [term, typeof known === "number" ? [known] : ascending(known)];
    }
  }
}

function hashOf(text: string, start: number, end: number): number {
  let hash = end - start;
  for (let index = start; index < end; index += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 12);
}

/** Ordinals in their order, each once. */
export function ascending(ordinals: number[]): readonly number[] {
  for (let index = 1; index < ordinals.length; index += 1)
    if ((ordinals[index] ?? 0) <= (ordinals[index - 1] ?? 0))
      return [...new Set(ordinals)].sort((left, right) => left - right);
  return ordinals;
}
