// Whether a query finds a snippet, how it ranks, and where: the truth behind every index (GET /search, Matching and Relevance).
import { limits } from "../../contract/limits.ts";
import type { SearchedField, SearchMatch } from "../../contract/search.ts";
import { shownNote } from "../formats/tool-block.ts";
import { type Folded, fold, foldInPlace, originalRange } from "./folding.ts";
import { findPiece, type Piece, type SearchQuery } from "./pieces.ts";

/** The texts of a snippet. */
export interface SearchedTexts {
  readonly title: string;
  readonly shortcut: string | null;
  readonly note: string | null;
  /** The names of its tags. */
  readonly tags: readonly string[];
  /** The texts of its variations. */
  readonly contents: readonly string[];
}

/** Smaller ranks higher. */
export type Tier = 1 | 2 | 3 | 4;

interface FieldText extends Folded {
  readonly field: SearchedField;
  readonly text: string;
  /** Whether each character of the text is where it is in the folded one. */
  readonly isInPlace: boolean;
}

const names: ReadonlySet<SearchedField> = new Set(["title", "shortcut"]);
const short: ReadonlySet<SearchedField> = new Set(["title", "shortcut", "tags"]);

/** No searched part of a text has more code units. */
export const searchedLengthMax = limits.searchedTextBytesMax;

/** What is searched of a text: its first bytes in UTF-8, without half a character. */
export function searchedPart(text: string): string {
  const max = limits.searchedTextBytesMax;
  if (text.length * 3 <= max) return text;
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(max)).read);
}

/** The matching of one query in some fields. Texts are folded only where the fields before them do not decide. */
export class Matcher {
  readonly #query: SearchQuery;
  readonly #fields: ReadonlySet<SearchedField>;
  /** Whether a piece has white space, of which any run is the same. */
  readonly #hasSpaces: boolean;
  /** What was folded of texts, for their marks. */
  readonly #folded = new WeakMap<SearchedTexts, Map<ReadonlySet<SearchedField>, readonly FieldText[]>>();

  constructor(query: SearchQuery, fields: readonly SearchedField[]) {
    this.#query = query;
    this.#fields = new Set(fields);
    this.#hasSpaces = [...query.wanted, ...query.excluded].some(({ text }) => text.includes(" "));
  }

  /** The tier of a snippet that the query finds; undefined for any other. */
  tierOf(texts: SearchedTexts): Tier | undefined {
    const { wanted, excluded } = this.#query;
    const head = this.#fieldsOf(texts, short);
    const missing = wanted.filter((piece) => !this.#occursIn(piece, head));
    if (excluded.some((piece) => this.#occursIn(piece, head))) return undefined;
    if (missing.length > 0 || excluded.length > 0) {
      const tail = this.#fieldsOf(texts, longFields);
      if (missing.some((piece) => !this.#occursIn(piece, tail))) return undefined;
      if (excluded.some((piece) => this.#occursIn(piece, tail))) return undefined;
    }
    if (wanted.length === 0 || missing.length > 0) return 4;
    return this.#tierByNames(head);
  }

  /** The first places where the pieces of the query occur: each piece once, then the others field by field. */
  matchesOf(texts: SearchedTexts): SearchMatch[] {
    const all = [...this.#fieldsOf(texts, short), ...this.#fieldsOf(texts, longFields)];
    const places = this.#query.wanted.map((piece) =>
      all.flatMap((text) => {
        const start = this.#isSearched(text) ? findPiece(text, piece) : -1;
        const end = start + piece.text.length;
        return start < 0 || isOfTool(text, start, end) ? [] : { text, start, end };
      }),
    );
    const firsts = places.flatMap((found) => found.slice(0, 1));
    const others = all.flatMap((text) =>
      places.flatMap((found) => found.slice(1).filter((place) => place.text === text)),
    );
    const different = [...firsts, ...others].filter(
      (place, index, list) =>
        !list.slice(0, index).some((other) => other.text === place.text && other.start === place.start),
    );
    return different.slice(0, limits.searchMatchesMax).map(({ text, start, end }) => cut(text, start, end));
  }

  #tierByNames(head: readonly FieldText[]): Tier {
    const { whole } = this.#query;
    const ranked = head.filter(({ field }) => names.has(field));
    if (ranked.some(({ folded }) => folded === whole)) return 1;
    return ranked.some(({ folded }) => folded.startsWith(whole)) ? 2 : 3;
  }

  #isSearched = ({ field }: FieldText): boolean => !this.#query.isInNamesOnly || names.has(field);

  #occursIn = (piece: Piece, texts: readonly FieldText[]): boolean =>
    texts.some((text) => this.#isSearched(text) && findPiece(text, piece) >= 0);

  #fieldsOf(texts: SearchedTexts, which: ReadonlySet<SearchedField>): readonly FieldText[] {
    const ofTexts = this.#folded.get(texts) ?? new Map<ReadonlySet<SearchedField>, readonly FieldText[]>();
    this.#folded.set(texts, ofTexts);
    const known = ofTexts.get(which);
    if (known) return known;
    const found: FieldText[] = [];
    ofTexts.set(which, found);
    const add = (field: SearchedField, text: string | null) => {
      if (text === null || !which.has(field) || !this.#fields.has(field)) return;
      const inPlace = this.#hasSpaces || which === short ? undefined : foldInPlace(text);
      found.push({ field, text, isInPlace: inPlace !== undefined, ...(inPlace ?? fold(text)) });
    };
    add("title", texts.title);
    add("shortcut", texts.shortcut);
    for (const tag of texts.tags) add("tags", tag);
    add("note", texts.note);
    for (const content of texts.contents) add("content", searchedPart(content));
    return found;
  }
}

const longFields: ReadonlySet<SearchedField> = new Set(["note", "content"]);

/** Where a place of the folded text is in the text. */
const rangeOf = ({ text, isInPlace }: FieldText, start: number, end: number): readonly [number, number] =>
  isInPlace ? [start, end] : originalRange(text, start, end);

/** Whether a place is in the data of a tool at the end of a note, which means nothing to people. */
function isOfTool(place: FieldText, start: number, end: number): boolean {
  if (place.field !== "note") return false;
  const shown = shownNote(place.text).length;
  return shown < place.text.length && rangeOf(place, start, end)[0] >= shown;
}

function cut(place: FieldText, foldedStart: number, foldedEnd: number): SearchMatch {
  const { field, text } = place;
  const [start, end] = rangeOf(place, foldedStart, foldedEnd);
  const length = limits.searchContextLengthMax;
  // A character has two code units at most.
  const before = text.slice(Math.max(0, start - 2 * length), start);
  const after = text.slice(end, end + 2 * length);
  return {
    field,
    before: surrogates.test(before) ? [...before.toWellFormed()].slice(-length).join("") : before.slice(-length),
    match: text.slice(start, end),
    after: surrogates.test(after) ? [...after.toWellFormed()].slice(0, length).join("") : after.slice(0, length),
  };
}

/** Halves of characters. */
const surrogates = /[\ud800-\udfff]/;
