// What a query marks on a page, by the rule of the search.
import { useMemo } from "react";
import { placesOf, readPieces, type SearchQuery } from "../../../src/library/search/pieces.ts";

/** Titles and shortcuts are names: only there a query of punctuation alone is searched. */
export type Searched = "name" | "text";

export const useSearchQuery = (query: string): SearchQuery => useMemo(() => readPieces(query), [query]);

export const placesIn = (what: Searched, text: string, query: SearchQuery): ReturnType<typeof placesOf> =>
  query.isInNamesOnly && what === "text" ? [] : placesOf(text, query);
