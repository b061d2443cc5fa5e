// Where the parts of a text begin: a piece of a query is found only there (GET /search, Matching).
import type { Folded } from "./folding.ts";

/** What matters about a character. */
interface Kind {
  readonly isLetter: boolean;
  readonly isDigit: boolean;
  readonly isCapital: boolean;
  readonly isSmall: boolean;
  /** Chinese, Japanese or Korean. */
  readonly isCjk: boolean;
}

const cjk = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]/u;

const kinds = new Map<number, Kind>();
const nothing: Kind = { isLetter: false, isDigit: false, isCapital: false, isSmall: false, isCjk: false };

/** The kind of the character that has this code point; of nothing without one. */
function kindOf(codePoint: number | undefined): Kind {
  if (codePoint === undefined) return nothing;
  let kind = kinds.get(codePoint);
  if (!kind) {
    const character = String.fromCodePoint(codePoint);
    const [isLetter, isDigit] = [/\p{L}/u.test(character), /\p{N}/u.test(character)];
    kind = {
      isLetter,
      isDigit,
      isCapital: /[\p{Lu}\p{Lt}]/u.test(character),
      isSmall: /\p{Ll}/u.test(character),
      isCjk: (isLetter || isDigit) && cjk.test(character),
    };
    kinds.set(codePoint, kind);
  }
  return kind;
}

const isLetterOrDigit = ({ isLetter, isDigit }: Kind): boolean => isLetter || isDigit;

/** The code point that ends in front of `index`. */
function codePointBefore(text: string, index: number): number | undefined {
  const unit = text.charCodeAt(index - 1);
  if (Number.isNaN(unit)) return undefined;
  return unit >= 0xdc00 && unit <= 0xdfff ? text.codePointAt(index - 2) : unit;
}

/** Whether a part begins at the letter or digit at `index`. */
export function isPartStart({ plain }: Pick<Folded, "plain">, index: number): boolean {
  const before = kindOf(codePointBefore(plain, index));
  if (!isLetterOrDigit(before)) return true;
  const codePoint = plain.codePointAt(index);
  const kind = kindOf(codePoint);
  if (before.isCjk || kind.isCjk || before.isLetter !== kind.isLetter) return true;
  if (!kind.isCapital) return false;
  return before.isSmall || kindOf(plain.codePointAt(index + ((codePoint ?? 0) > 0xffff ? 2 : 1))).isSmall;
}

/** Whether the text has a letter or a digit. */
export const hasLetterOrDigit = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
export const beginsWithLetterOrDigit = (text: string): boolean => /^[\p{L}\p{N}]/u.test(text);
