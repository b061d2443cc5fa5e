// What the index holds of a text, and what it is asked for a piece of a query. The index only proposes snippets: it must propose all that
// match, and may propose others, because the texts decide (matching.ts).
import { type Folded, fold, withoutAccents } from "./folding.ts";
import { isCjkAt, isLetterOrDigitAt, isPartStart } from "./parts.ts";
import type { Piece } from "./pieces.ts";
import { simpleLengthMax, visitParts, visitWords, type Word } from "./words.ts";

/**
 * A term begins with its kind. `text` and `name` are the texts from the beginning of a part to the end of the word, in all fields, and in
 * title and shortcut. `coarse` stands for these in long words such as encoded data. `whole` is a title or a shortcut, `start` the beginning of one,
 * `sign` a character of them that is no letter, no digit and no space. `filter` is a property of the snippet.
 */
export const termKind = {
  text: "t",
  name: "n",
  coarseText: "c",
  coarseName: "d",
  whole: "e",
  start: "s",
  sign: "p",
  filter: "f",
} as const;

/** Longer texts are found by their beginning. */
const termLengthMax = 16;
const wholeLengthMax = 32;
/** At each Chinese, Japanese or Korean character, a term of so many begins. */
const cjkLength = 3;
const coarseLength = 4;
const coarseWordLength = simpleLengthMax;

/** The texts of a document. */
export interface TermSource {
  readonly title: string;
  readonly shortcut: string | null;
  readonly note: string | null;
  readonly contents: readonly string[];
}

/** Takes a term: the kind, and what lies in `text` from `start` to `end`. */
type TakeTerm = (kind: string, text: string, start: number, end: number) => void;

/** A word of any text, or of title or shortcut. */
export type WordKind = typeof termKind.text | typeof termKind.name;

/** Takes the terms of a document, some more than once. */
export interface TermSink {
  add(kind: string, text: string, start?: number, end?: number): void;
  /** Takes the terms of a simple word: `visitTermsOfWord`. */
  addWord(kind: WordKind, word: Word): void;
}

export function addTerms({ title, shortcut, note, contents }: TermSource, sink: TermSink): void {
  for (const text of [title, shortcut]) {
    if (text === null) continue;
    const { folded } = fold(text);
    sink.add(termKind.whole, upTo(folded, 0, folded.length, wholeLengthMax));
    sink.add(termKind.start, upTo(folded, 0, folded.length, termLengthMax));
    for (const sign of folded.match(signs) ?? []) sink.add(termKind.sign, sign);
    addWords(text, termKind.name, sink);
  }
  if (note !== null) addWords(note, termKind.text, sink);
  for (const content of contents) addWords(content, termKind.text, sink);
}

const signs = /[^\p{L}\p{N}\s]/gu;

/** White space stays as it is: it belongs to no word. */
function addWords(text: string, kind: WordKind, sink: TermSink): void {
  const plain = withoutAccents(text);
  let folded: string | undefined;
  visitWords(
    plain,
    (word) => sink.addWord(kind, word),
    (start, end) => {
      folded ??= plain.toLowerCase();
      addTermsOfRun({ plain, folded }, start, end, kind, (...term) => sink.add(...term));
    },
  );
}

/** Calls `take` with the kind of each term of a simple word, and where it begins and ends in the word in lower case. */
export function visitTermsOfWord(
  kind: WordKind,
  word: Word,
  take: (kind: string, start: number, end: number) => void,
): void {
  visitParts(word, (start) => {
    const end = Math.min(word.length, start + termLengthMax);
    take(termKind.text, start, end);
    if (kind === termKind.name) take(termKind.name, start, end);
  });
}

/** Adds the terms of letters and digits that follow each other from `from` to `to`. */
function addTermsOfRun(text: Folded, from: number, to: number, kind: WordKind, add: TakeTerm): void {
  const { folded } = text;
  const take = (start: number, end: number, isCoarse: boolean) => {
    add(isCoarse ? termKind.coarseText : termKind.text, folded, start, end);
    if (kind === termKind.name) add(isCoarse ? termKind.coarseName : termKind.name, folded, start, end);
  };
  for (let index = from; index < to; ) {
    const end = endOfRun(folded, index);
    if (isCjkAt(folded, index)) take(index, endOfCjk(folded, index), false);
    else {
      const isCoarse = end - index > coarseWordLength;
      const length = isCoarse ? coarseLength : termLengthMax;
      take(index, index + upTo(folded, index, end, length).length, isCoarse);
      for (let part = index + widthAt(folded, index); part < end; part += widthAt(folded, part))
        if (isPartStart(text, part)) take(part, part + upTo(folded, part, end, length).length, isCoarse);
    }
    index = end;
  }
}

/** The end of the word that begins at `index`. A Chinese, Japanese or Korean character is one by itself. */
function endOfRun(text: string, index: number): number {
  let end = index + widthAt(text, index);
  if (isCjkAt(text, index)) return end;
  while (end < text.length && isLetterOrDigitAt(text, end) && !isCjkAt(text, end)) end += widthAt(text, end);
  return end;
}

/** The end of the term that begins with the Chinese, Japanese or Korean character at `index`. */
function endOfCjk(text: string, index: number): number {
  let end = index;
  for (let count = 0; count < cjkLength && isCjkAt(text, end); count += 1) end += widthAt(text, end);
  return end;
}

const widthAt = (text: string, index: number): number => {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff ? 2 : 1;
};

/** The text from `start`, of a length that does not cut a character in two. */
function upTo(text: string, start: number, end: number, length: number): string {
  const last = Math.min(end, start + length);
  const unit = text.charCodeAt(last - 1);
  return text.slice(start, last < end && unit >= 0xd800 && unit <= 0xdbff ? last - 1 : last);
}

/** A term, or all terms that begin so. */
export interface TermRange {
  readonly term: string;
  readonly isPrefix: boolean;
  /** True for a term that stands for several texts, so that it proves nothing. */
  readonly isCoarse?: true;
}

/** Whether it is the beginning of so many terms that reading where they are takes long. */
export const isBroad = ({ term, isPrefix }: TermRange): boolean => isPrefix && /^t[ -~]{0,2}$/.test(term);

/** For each of these, a document that a piece finds has at least one of the terms. Empty where the index does not know. */
export type Requirement = readonly TermRange[];

/** What the index is asked for a piece. @param isName true where it must occur in title or shortcut */
export function requirementsOf(piece: Piece, isName: boolean): Requirement[] {
  const { text } = piece;
  const [kind, coarseKind] = isName ? [termKind.name, termKind.coarseName] : [termKind.text, termKind.coarseText];
  const found: Requirement[] = [];
  for (let index = 0; index < text.length; ) {
    if (!isLetterOrDigitAt(text, index)) {
      index += 1;
      continue;
    }
    let end = endOfRun(text, index);
    if (isCjkAt(text, index)) {
      const termEnd = endOfCjk(text, index);
      found.push([{ term: kind + text.slice(index, termEnd), isPrefix: termEnd === text.length }]);
      // At the end of a run, the other characters of the term need no terms of their own.
      if (!isCjkAt(text, termEnd)) end = termEnd;
    } else {
      const isLast = end === text.length;
      const [term, coarse] = [upTo(text, index, end, termLengthMax), upTo(text, index, end, coarseLength)];
      const isWhole = term.length === end - index;
      found.push([
        { term: kind + term, isPrefix: isLast && isWhole },
        { term: coarseKind + coarse, isPrefix: isLast && coarse.length === end - index, isCoarse: true },
      ]);
    }
    index = end;
  }
  return found;
}

/** Whether a document that has the terms of the piece, no coarse ones, has the piece. */
export function isProvenByTerms({ text }: Piece): boolean {
  if (text === "" || !isLetterOrDigitAt(text, 0)) return false;
  const end = endOfRun(text, 0);
  if (isCjkAt(text, 0)) return endOfCjk(text, 0) === text.length;
  return end === text.length && end <= termLengthMax;
}

/** What the index is asked for a piece without letters and digits: each of its signs in title or shortcut. */
export const signRequirements = ({ text }: Piece): Requirement[] =>
  (text.match(signs) ?? []).map((sign) => [{ term: termKind.sign + sign, isPrefix: false }]);

/** What the index is asked for a title or shortcut that is the query. */
export const wholeRequirement = (whole: string): Requirement => [
  { term: termKind.whole + upTo(whole, 0, whole.length, wholeLengthMax), isPrefix: false },
];

/** What the index is asked for a title or shortcut that begins with the query. */
export const startRequirement = (whole: string): Requirement => {
  const term = upTo(whole, 0, whole.length, termLengthMax);
  return [{ term: termKind.start + term, isPrefix: term.length === whole.length }];
};

export type FilteredProperty = "team" | "folder" | "tag" | "type" | "author" | "archived";

/** A property that snippets are filtered by. */
export const filterTerm = (property: FilteredProperty, value: string): string =>
  termKind.filter + filterText(property, value);

/** The same without its kind. */
export const filterText = (property: FilteredProperty, value: string): string => `${property} ${value}`;
