// The words of a text, and the parts of a word, each in one pass.
import { hashNext } from "./interned.ts";
import { kind, kindOf, letterOrDigit } from "./parts.ts";

/** Longer words are not simple. */
export const simpleLengthMax = 40;
/** Characters from here on may be Chinese, Japanese or Korean, or take two code units. */
const firstWideCharacter = 0x1100;
/** The one letter whose small form depends on what follows its word. */
const sigma = 0x3a3;

/** A word: code units from 0 to `length`, with a hash of them. */
export interface Word {
  readonly units: Uint16Array;
  readonly length: number;
  readonly hash: number;
}

/** Takes a word that is the same wherever it occurs. It is valid until the next one is read. */
type TakeWord = (word: Word) => void;

/**
 * Finds the runs of letters and digits in a text without accents.
 * @param take takes the simple ones, whose parts and small letters depend on nothing else: short ones of narrow characters
 * @param takeOther takes where the others are
 */
export function visitWords(plain: string, take: TakeWord, takeOther: (start: number, end: number) => void): void {
  const units = new Uint16Array(simpleLengthMax);
  const word = { units, length: 0, hash: 0 };
  for (let index = 0; index < plain.length; ) {
    let unit = plain.charCodeAt(index);
    if ((kindOfUnit(plain, index, unit) & letterOrDigit) === 0) {
      index += 1;
      continue;
    }
    const start = index;
    let isNarrow = true;
    let hash = 0;
    do {
      units[index - start] = unit;
      hash = hashNext(hash, unit);
      if (unit >= firstWideCharacter || unit === sigma) {
        isNarrow = false;
        // The second half of a character has no kind of its own.
        if (unit >= 0xd800 && unit <= 0xdbff) index += 1;
      }
      index += 1;
      unit = index < plain.length ? plain.charCodeAt(index) : 0;
    } while ((kindOfUnit(plain, index, unit) & letterOrDigit) !== 0);
    if (isNarrow && index - start <= simpleLengthMax) {
      word.length = index - start;
      word.hash = hash;
      take(word);
    } else takeOther(start, index);
  }
}

const kindOfUnit = (text: string, index: number, unit: number): number =>
  kindOf(unit >= 0xd800 && unit <= 0xdbff ? (text.codePointAt(index) ?? 0) : unit);

/** Calls `take` with the beginning of each part of a simple word: `isPartStart` at every place. */
export function visitParts({ units, length }: Word, take: (start: number) => void): void {
  let before = 0;
  let own = kindOf(units[0] ?? 0);
  for (let index = 0; index < length; index += 1) {
    const after = index + 1 < length ? kindOf(units[index + 1] ?? 0) : 0;
    if (
      index === 0 ||
      (before & kind.letter) !== (own & kind.letter) ||
      ((own & kind.capital) !== 0 && ((before & kind.small) !== 0 || (after & kind.small) !== 0))
    )
      take(index);
    before = own;
    own = after;
  }
}

const smallUnits = new Uint16Array(firstWideCharacter);

/** The code unit of a simple word in lower case. */
export function toSmall(unit: number): number {
  const known = smallUnits[unit] ?? 0;
  if (known > 0) return known;
  const small = String.fromCharCode(unit).toLowerCase().charCodeAt(0);
  smallUnits[unit] = small;
  return small;
}
