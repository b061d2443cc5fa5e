// What a query asks for: pieces that must occur, pieces that must not (GET /search, Pieces).
import { errors } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import { fold } from "./folding.ts";
import { beginsWithLetterOrDigit, hasLetterOrDigit } from "./parts.ts";

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

/** @throws Refusal 400 for a query without pieces or with too many */
export function parseQuery(text: string): SearchQuery {
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
  if (found.length === 0) throw errors.invalid("query must have something to search for");
  if (found.length > limits.searchPiecesMax)
    throw errors.invalid(`query must have at most ${limits.searchPiecesMax} pieces`);
  return {
    wanted: found.filter((piece) => !piece.isExcluded),
    excluded: found.filter((piece) => piece.isExcluded),
    whole: fold(whole).folded.trim(),
    isInNamesOnly: found.every((piece) => !piece.hasLetterOrDigit),
  };
}
