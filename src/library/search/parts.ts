// Where the parts of a text begin: a piece of a query is found only there (GET /search, Matching).
import type { Folded } from "./folding.ts";

/** What matters about a character, as bits. */
export const kind = { letter: 1, digit: 2, capital: 4, small: 8, cjk: 16 } as const;
export const letterOrDigit = kind.letter | kind.digit;

const cjk = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]/u;

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  const found = /\p{L}/u.test(character) ? kind.letter : /\p{N}/u.test(character) ? kind.digit : 0;
  if (found === 0) return 0;
  return (
    found |
    (/[\p{Lu}\p{Lt}]/u.test(character) ? kind.capital : 0) |
    (/\p{Ll}/u.test(character) ? kind.small : 0) |
    (cjk.test(character) ? kind.cjk : 0)
  );
}

/** By code point, for the first plane; 255 for one that was not asked for yet. */
const kinds = new Uint8Array(0x10000).fill(255);

export function kindOf(codePoint: number): number {
  const known = kinds[codePoint];
  if (known !== undefined && known !== 255) return known;
  const found = classify(codePoint);
  if (known !== undefined) kinds[codePoint] = found;
  return found;
}

/** The kind of the character at `index`; 0 behind the end. */
function kindAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit >= 0xd800 && unit <= 0xdbff) return kindOf(text.codePointAt(index) ?? 0);
  return Number.isNaN(unit) ? 0 : kindOf(unit);
}

/** The kind of the character that ends in front of `index`. */
function kindBefore(text: string, index: number): number {
  const unit = text.charCodeAt(index - 1);
  return unit >= 0xdc00 && unit <= 0xdfff ? kindAt(text, index - 2) : kindAt(text, index - 1);
}

/** Whether a part begins at the letter or digit at `index`. */
export function isPartStart({ plain }: Pick<Folded, "plain">, index: number): boolean {
  const before = kindBefore(plain, index);
  if ((before & letterOrDigit) === 0) return true;
  const own = kindAt(plain, index);
  if (((before | own) & kind.cjk) !== 0 || (before & kind.letter) !== (own & kind.letter)) return true;
  if ((own & kind.capital) === 0) return false;
  if ((before & kind.small) !== 0) return true;
  const unit = plain.charCodeAt(index);
  return (kindAt(plain, index + (unit >= 0xd800 && unit <= 0xdbff ? 2 : 1)) & kind.small) !== 0;
}

export const isLetterOrDigitAt = (text: string, index: number): boolean => (kindAt(text, index) & letterOrDigit) !== 0;
/** Whether the letter or digit at `index` is Chinese, Japanese or Korean. */
export const isCjkAt = (text: string, index: number): boolean => (kindAt(text, index) & kind.cjk) !== 0;

export const hasLetterOrDigit = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
export const beginsWithLetterOrDigit = (text: string): boolean => /^[\p{L}\p{N}]/u.test(text);
