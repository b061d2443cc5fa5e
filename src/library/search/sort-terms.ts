// Puts terms into their order: that of the databases, by code points.
import { rankOf } from "./blocks.ts";

/** No more terms can be sorted at once. */
export const sortedTermsMax = 2 ** 21;
/** A key begins with so many characters of its term, each as a number of six bits. Its last 21 bits are the place of the term. */
const keyCharacters = 7;
const placeMask = sortedTermsMax - 1;
/** So few terms are sorted by comparing each with its neighbors. */
const insertionMax = 12;

/**
 * In a key, the end of a term is 0, and digits and small letters have numbers of their own. What lies between or behind them shares numbers,
 * in the same order.
 */
const keyNumbers = Uint8Array.from({ length: 0x10000 }, (_, unit) => {
  if (unit < 0x30) return 1;
  if (unit < 0x3a) return unit - 0x30 + 2;
  if (unit < 0x61) return 12;
  if (unit < 0x7b) return unit - 0x61 + 13;
  return unit < 0x80 ? 39 : 40 + Math.floor((rankOf(unit) - 0x80) / 0xb22);
});
const exactMin = 2;
const isExact = (number: number): boolean => number >= exactMin && number < 39 && number !== 12;

/** Terms that are equal up to `depth`. */
interface Range {
  readonly low: number;
  readonly high: number;
  readonly depth: number;
}

/**
 * The places of terms, all different, in the order of the terms. The term at `place` lies in `units` from `starts[place]` to `starts[place + 1]`. Numbers
 * are sorted much faster than terms are compared.
 */
export function sortTerms(units: Uint16Array, starts: Int32Array, size: number): Int32Array {
  const keys = new BigUint64Array(size);
  /** Two for each key, the less significant one first. */
  const halves = new Uint32Array(keys.buffer);
  for (let place = 0; place < size; place += 1) {
    const start = starts[place] ?? 0;
    const end = Math.min(starts[place + 1] ?? 0, start + keyCharacters);
    let high = 0;
    let low = 0;
    // What follows a shared number does not matter before what that number stands for.
    for (let index = start, number = exactMin; index < end && isExact(number); index += 1) {
      number = keyNumbers[units[index] ?? 0] ?? 0;
      const shift = 26 - 6 * (index - start);
      if (shift >= 0) high |= number << shift;
      else if (shift === -4) {
        high |= number >>> 4;
        low |= number << 28;
      } else low |= number << 21;
    }
    halves[place * 2] = (low | place) >>> 0;
    halves[place * 2 + 1] = high >>> 0;
  }
  keys.sort();
  const isSameKey = (one: number, other: number): boolean =>
    halves[one * 2 + 1] === halves[other * 2 + 1] &&
    ((halves[one * 2] ?? 0) & ~placeMask) === ((halves[other * 2] ?? 0) & ~placeMask);
  const places = new Int32Array(size);
  for (let index = 0; index < size; index += 1) places[index] = (halves[index * 2] ?? 0) & placeMask;
  for (let low = 0; low < size; ) {
    let high = low + 1;
    while (high < size && isSameKey(low, high)) high += 1;
    if (high - low > 1) sortEqual(units, starts, places, low, high);
    low = high;
  }
  return places;
}

/** Sorts terms that have the same key: by two characters after the other, as they are. */
function sortEqual(units: Uint16Array, starts: Int32Array, places: Int32Array, from: number, to: number): void {
  const first = starts[places[from] ?? 0] ?? 0;
  let exact = 0;
  while (exact < keyCharacters && isExact(keyNumbers[units[first + exact] ?? 0] ?? 0)) exact += 1;
  const isKeyExact = exact === keyCharacters;
  const ranges: Range[] = [{ low: from, high: to, depth: isKeyExact ? keyCharacters : 0 }];
  const rankAt = (at: number, end: number): number => (at < end ? rankOf(units[at] ?? 0) + 1 : 0);
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    const { low, high, depth } = range;
    if (high - low <= insertionMax) {
      sortByInsertion(units, starts, places, range);
      continue;
    }
    const keys = new BigUint64Array(high - low);
    const halves = new Uint32Array(keys.buffer);
    for (let index = 0; index < high - low; index += 1) {
      const place = places[low + index] ?? 0;
      const at = (starts[place] ?? 0) + depth;
      const end = starts[place + 1] ?? 0;
      halves[index * 2] = place;
      halves[index * 2 + 1] = rankAt(at, end) * 0x10000 + rankAt(at + 1, end);
    }
    keys.sort();
    for (let index = 0; index < high - low; index += 1) places[low + index] = halves[index * 2] ?? 0;
    for (let end = high; end > low; ) {
      const key = halves[(end - 1 - low) * 2 + 1];
      let start = end - 1;
      while (start > low && halves[(start - 1 - low) * 2 + 1] === key) start -= 1;
      if (end - start > 1) ranges.push({ low: start, high: end, depth: depth + 2 });
      end = start;
    }
  }
}

function sortByInsertion(
  units: Uint16Array,
  starts: Int32Array,
  places: Int32Array,
  { low, high, depth }: Range,
): void {
  for (let index = low + 1; index < high; index += 1) {
    const place = places[index] ?? 0;
    let at = index;
    for (; at > low && isBefore(units, starts, place, places[at - 1] ?? 0, depth); at -= 1)
      places[at] = places[at - 1] ?? 0;
    places[at] = place;
  }
}

function isBefore(units: Uint16Array, starts: Int32Array, place: number, other: number, depth: number): boolean {
  const [end, otherEnd] = [starts[place + 1] ?? 0, starts[other + 1] ?? 0];
  let at = (starts[place] ?? 0) + depth;
  let otherAt = (starts[other] ?? 0) + depth;
  while (at < end && otherAt < otherEnd && units[at] === units[otherAt]) {
    at += 1;
    otherAt += 1;
  }
  if (at >= end || otherAt >= otherEnd) return at >= end && otherAt < otherEnd;
  return rankOf(units[at] ?? 0) < rankOf(units[otherAt] ?? 0);
}
