// How texts are compared: without accents, without regard to case, and with any run of white space as one space. Done here and not in a
// database, so that both engines agree.

const accents = /[\u0300-\u036f]/g;
/** White space that is not a single space. */
const otherSpace = /[^\S ]\s*| \s+/g;
/** True for a text of characters without accents that never join with others: ASCII, punctuation, Chinese, Japanese, Korean. */
const isPlain =
  /^[^\u0080-\u00a0\u00c0-\u200f\u2028-\u20ab\u20ad-\u3000\u302a-\u302f\u3099\u309a\u3100-\u33ff\u4dc0-\u4dff\ua000-\uabff\ud7a4-\uff00\uff5f-\uffff]*$/;

/** A text ready to be searched. Both forms have the same length. */
export interface Folded {
  /** Without accents, but with its capital letters, which begin parts. */
  readonly plain: string;
  /** The same in lower case: what is compared. */
  readonly folded: string;
}

/** Without accents, with single spaces. */
export const toPlain = (text: string): string => withoutAccents(text.replace(otherSpace, " "));

export const withoutAccents = (text: string): string =>
  isPlain.test(text) ? text : text.normalize("NFD").replace(accents, "").normalize("NFC");

export function fold(text: string): Folded {
  const plain = toPlain(text);
  return { plain, folded: plain.toLowerCase() };
}

/** The same where each character stays in its place, white space too; undefined for a text of other characters. */
export const foldInPlace = (text: string): Folded | undefined =>
  isPlain.test(text) ? { plain: text, folded: text.toLowerCase() } : undefined;

/** A character as it is compared: a base with its accents, parts of a Korean syllable, or a run of white space. */
const character = /\s+|[\uac00-\ud7a3]?[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]+|\P{M}\p{M}*|\p{M}+/gu;
/** Between two such characters a text can be folded in two halves. */
const safeCut = /[\x21-\x7e](?=[\x21-\x7e])/g;
const blockLength = 512;

/** The white space that plain texts have. */
const isSpace = (unit: number): boolean => unit === 0x20 || (unit >= 9 && unit <= 13);

/** `originalPlaces` for a text in which only white space becomes shorter. */
function placesInPlain(text: string): (start: number, end: number) => readonly [number, number] {
  let at = 0;
  let folded = 0;
  const placeOf = (wanted: number): number => {
    for (; at < text.length && folded < wanted; folded += 1) {
      const isRun = isSpace(text.charCodeAt(at));
      at += 1;
      if (isRun) while (isSpace(text.charCodeAt(at))) at += 1;
    }
    return at;
  };
  return (start, end) => {
    const first = placeOf(start);
    return [first, placeOf(end)];
  };
}

/** Tells which place of `text` is `start` to `end` in its folded form. Each place begins where the one before it ends, or later. */
export function originalPlaces(text: string): (start: number, end: number) => readonly [number, number] {
  if (isPlain.test(text)) return placesInPlain(text);
  let from = 0;
  let folded = 0;
  return (start, end) => {
    // Whole blocks are skipped by their folded length.
    for (;;) {
      safeCut.lastIndex = from + blockLength;
      const cut = safeCut.exec(text)?.index;
      if (cut === undefined) break;
      const length = toPlain(text.slice(from, cut + 1)).length;
      if (folded + length >= start) break;
      from = cut + 1;
      folded += length;
    }
    let first: number | undefined;
    while (from < text.length) {
      if (folded >= start) first ??= from;
      if (folded >= end) return [first ?? from, from];
      // Most characters stand for themselves, which is much quicker to see than to match.
      if (standsForItself(text, from)) {
        from += 1;
        folded += 1;
        continue;
      }
      character.lastIndex = from;
      const [found] = character.exec(text) ?? [text.slice(from)];
      from += found.length;
      folded += toPlain(found).length;
    }
    return [first ?? from, from];
  };
}

/** Whether there is a printable ASCII character or a space here, and after it no white space, accent or anything else to look at. */
function standsForItself(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  const next = text.charCodeAt(at + 1);
  return unit >= 0x20 && unit < 0x7f && next > 0x20 && next < 0x7f;
}

/** The place in `text` that is `start` to `end` in its folded form. */
export const originalRange = (text: string, start: number, end: number): readonly [number, number] =>
  originalPlaces(text)(start, end);
