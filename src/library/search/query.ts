// What a query asks for: pieces that must occur, pieces that must not (GET /search, Pieces).
import { errors } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import { readPieces, type SearchQuery } from "./pieces.ts";

/** @throws Refusal 400 for a query without pieces or with too many */
export function parseQuery(text: string): SearchQuery {
  const query = readPieces(text);
  const count = query.wanted.length + query.excluded.length;
  if (count === 0) throw errors.invalid("query must contain at least one search term");
  if (count > limits.searchPiecesMax) throw errors.invalid(`query must have at most ${limits.searchPiecesMax} terms`);
  return query;
}
