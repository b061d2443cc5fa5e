// The pieces of a query, and where they occur in a text (GET /search, Pieces and Matching). The pages mark matches with it too.
import { type Folded, fold, originalPlaces } from "./folding.ts";
import { beginsWithLetterOrDigit, hasLetterOrDigit, isPartStart } from "./parts.ts";

export interface Piece {
  /** Folded. */
  readonly text: string;
  readonly isExcluded: boolean;
  /** False for a piece of other characters only, such as `=>`. */
  readonly hasLetterOrDigit: boolean;
  /** True where an occurrence must be at the beginning of a part. Behind leading punctuation one begins anyway. */
  readonly mustBeginPart: boolean;
}

export interface SearchQuery {
  readonly wanted: readonly Piece[];
  readonly excluded: readonly Piece[];
  /** The query as a title would have to be for the first rank: folded, without exclusions and quotes. */
  readonly whole: string;
  /** True where all pieces consist of other characters: they are looked for in title and shortcut only. */
  readonly isInNamesOnly: boolean;
}

/** An exclusion, then a phrase or anything up to white space. */
const pieces = /(-(?!-)(?=\S))?(?:"([^"]*)"?|(\S+))/g;

/** A query with its pieces; there may be none. */
export function readPieces(text: string): SearchQuery {
  const found: Piece[] = [];
  const whole = text.replace(pieces, (_, minus: string | undefined, phrase: string | undefined, word = "") => {
    const source = phrase ?? word;
    const { folded } = fold(source);
    if (folded.trim() !== "")
      found.push({
        text: folded,
        isExcluded: minus !== undefined,
        hasLetterOrDigit: hasLetterOrDigit(folded),
        mustBeginPart: beginsWithLetterOrDigit(folded),
      });
    return minus === undefined ? source : "";
  });
  return {
    wanted: found.filter((piece) => !piece.isExcluded),
    excluded: found.filter((piece) => piece.isExcluded),
    whole: fold(whole).folded.trim(),
    isInNamesOnly: found.every((piece) => !piece.hasLetterOrDigit),
  };
}

/** The first occurrence of a piece in a text, from `from` on; -1 if there is none. */
export function findPiece(text: Folded, piece: Piece, from = 0): number {
  let at = text.folded.indexOf(piece.text, from);
  while (at >= 0 && piece.mustBeginPart && !isPartStart(text, at)) at = text.folded.indexOf(piece.text, at + 1);
  return at;
}

/** All places of a text where wanted pieces occur, in their order. Places that overlap or touch are one. */
export function placesOf(text: string, { wanted }: SearchQuery): readonly (readonly [start: number, end: number])[] {
  if (wanted.length === 0) return [];
  const folded = fold(text);
  const found: [number, number][] = [];
  for (const piece of wanted)
    for (let at = findPiece(folded, piece); at >= 0; at = findPiece(folded, piece, at + piece.text.length))
      found.push([at, at + piece.text.length]);
  found.sort(([one], [other]) => one - other);
  const joined: [number, number][] = [];
  for (const [start, end] of found) {
    const last = joined.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  const originalPlace = originalPlaces(text);
  return joined.map(([start, end]) => originalPlace(start, end));
}
