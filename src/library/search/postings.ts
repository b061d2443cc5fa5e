// Which documents have which term, while a segment is made. Most words of a text were in another one before: their terms are known by then.
import type { Units } from "./blocks.ts";
import { grown, hashNext, Interned } from "./interned.ts";
import { sortedTermsMax, sortTerms } from "./sort-terms.ts";
import {
  type FilteredProperty,
  filterText,
  type TermSink,
  termKind,
  visitTermsOfWord,
  type WordKind,
} from "./terms.ts";
import { simpleLengthMax, toSmall, type Word } from "./words.ts";

const termsMax = sortedTermsMax / 2;
const occurrencesMax = 2 ** 22;
/** A word has two terms for each part at most. */
const termsOfWordMax = 2 * simpleLengthMax;

export class Postings implements TermSink {
  /** The numbers of a term: the last document that has it, counted from 1, and how many have it. */
  readonly #terms: Interned;
  /** The numbers of a word: the last document that has it, and where its terms begin in the list of all. */
  readonly #words: Interned;
  /** The terms of the words, each time after their number. */
  #termsOfWords: Int32Array;
  #termsOfWordsLength = 0;
  /** The terms of the documents, document by document. */
  #occurrences: Int32Array;
  #occurrencesLength = 0;
  /** Where the terms of each document begin. */
  readonly #starts: number[] = [];
  /** The terms of properties, by their values. */
  readonly #filters: Readonly<Record<FilteredProperty, Map<string, number>>> = {
    team: new Map(),
    folder: new Map(),
    tag: new Map(),
    type: new Map(),
    author: new Map(),
    archived: new Map(),
  };
  /** What is looked up. */
  #letters = new Uint16Array(2 * simpleLengthMax);

  /** @param documents about how many there will be, so that little has to be moved */
  constructor(documents: number) {
    this.#terms = new Interned(documents * 32);
    this.#words = new Interned(documents * 16);
    this.#termsOfWords = new Int32Array(documents * 64 + termsOfWordMax);
    this.#occurrences = new Int32Array(documents * 96 + 1);
  }

  /** True where the next documents should come to another segment. */
  get isFull(): boolean {
    return this.#occurrencesLength > occurrencesMax || this.#terms.size > termsMax;
  }

  /** What is added from now on belongs to the next document. */
  beginDocument(): void {
    this.#starts.push(this.#occurrencesLength);
  }

  add(kind: string, text: string, start = 0, end = text.length): void {
    this.#addTerm(this.#find(kind, text, start, end));
  }

  /** Adds the term of a property, which many documents share. */
  addFilter(property: FilteredProperty, value: string): void {
    const known = this.#filters[property];
    let place = known.get(value);
    if (place === undefined) {
      const text = filterText(property, value);
      place = this.#find(termKind.filter, text, 0, text.length);
      known.set(value, place);
    }
    this.#addTerm(place);
  }

  #find(kind: string, text: string, start: number, end: number): number {
    const length = end - start;
    while (this.#letters.length < length) this.#letters = grown(this.#letters);
    for (let index = 0; index < length; index += 1) this.#letters[index] = text.charCodeAt(start + index);
    return this.#termOf(kind, 0, length);
  }

  addWord(kind: WordKind, word: Word): void {
    const words = this.#words;
    const known = words.size;
    const place = words.placeOf(kind.charCodeAt(0), word.units, 0, word.length, word.hash);
    if (place === known) this.#keepTerms(place, kind, word);
    if (words.first(place) === this.#starts.length) return;
    words.setFirst(place, this.#starts.length);
    const from = words.second(place) + 1;
    const to = from + (this.#termsOfWords[from - 1] ?? 0);
    for (let index = from; index < to; index += 1) this.#addTerm(this.#termsOfWords[index] ?? 0);
  }

  #keepTerms(place: number, kind: WordKind, word: Word): void {
    for (let index = 0; index < word.length; index += 1) this.#letters[index] = toSmall(word.units[index] ?? 0);
    const from = this.#termsOfWordsLength;
    this.#words.setSecond(place, from);
    this.#termsOfWordsLength += 1;
    while (from + termsOfWordMax >= this.#termsOfWords.length) this.#termsOfWords = grown(this.#termsOfWords);
    visitTermsOfWord(kind, word, this.#keepTerm);
    this.#termsOfWords[from] = this.#termsOfWordsLength - from - 1;
  }

  #keepTerm = (kind: string, start: number, end: number): void => {
    this.#termsOfWords[this.#termsOfWordsLength] = this.#termOf(kind, start, end);
    this.#termsOfWordsLength += 1;
  };

  /** The term that is `kind` and the letters from `start` to `end`. */
  #termOf(kind: string, start: number, end: number): number {
    const letters = this.#letters;
    let hash = 0;
    for (let index = start; index < end; index += 1) hash = hashNext(hash, letters[index] ?? 0);
    return this.#terms.placeOf(kind.charCodeAt(0), letters, start, end, hash);
  }

  #addTerm(place: number): void {
    const terms = this.#terms;
    if (terms.first(place) === this.#starts.length) return;
    terms.setFirst(place, this.#starts.length);
    terms.setSecond(place, terms.second(place) + 1);
    if (this.#occurrencesLength === this.#occurrences.length) this.#occurrences = grown(this.#occurrences);
    this.#occurrences[this.#occurrencesLength] = place;
    this.#occurrencesLength += 1;
  }

  /** @param documents the documents, as they were added, in the order in which they are to be numbered */
  sorted(documents: readonly number[]): SortedPostings {
    const { size } = this.#terms;
    const ends = new Int32Array(size + 1);
    let total = 0;
    for (let place = 0; place < size; place += 1) {
      ends[place + 1] = total;
      total += this.#terms.second(place);
    }
    const ordinals = new Int32Array(total);
    for (let ordinal = 0; ordinal < documents.length; ordinal += 1) {
      const document = documents[ordinal] ?? 0;
      const to = this.#starts[document + 1] ?? this.#occurrencesLength;
      for (let at = this.#starts[document] ?? 0; at < to; at += 1) {
        const next = (this.#occurrences[at] ?? 0) + 1;
        const end = ends[next] ?? 0;
        ordinals[end] = ordinal;
        ends[next] = end + 1;
      }
    }
    return new SortedPostings(this.#terms.units, this.#terms.starts(), ordinals, ends);
  }
}

/** The terms, each with its documents, which ascend: `ordinals` from `from(term)` to `to(term)`. */
export class SortedPostings {
  /** In their order. */
  readonly terms: Int32Array;
  readonly ordinals: Int32Array;
  readonly #ends: Int32Array;
  readonly #starts: Int32Array;
  readonly #term: { readonly units: Uint16Array; start: number; end: number };

  constructor(units: Uint16Array, starts: Int32Array, ordinals: Int32Array, ends: Int32Array) {
    this.terms = sortTerms(units, starts, starts.length - 1);
    this.ordinals = ordinals;
    this.#ends = ends;
    this.#starts = starts;
    this.#term = { units, start: 0, end: 0 };
  }

  /** Valid until the next one is asked for. */
  termAt(term: number): Units {
    this.#term.start = this.#starts[term] ?? 0;
    this.#term.end = this.#starts[term + 1] ?? 0;
    return this.#term;
  }

  from = (term: number): number => this.#ends[term] ?? 0;
  to = (term: number): number => this.#ends[term + 1] ?? 0;
}
