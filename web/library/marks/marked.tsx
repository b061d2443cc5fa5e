// A short text in which all that the query finds is marked.
import type { SearchQuery } from "../../../src/library/search/pieces.ts";
import { placesIn, type Searched } from "./places.ts";

interface MarkedProps {
  readonly what: Searched;
  readonly text: string;
  readonly query: SearchQuery;
  /** Shown from here on. */
  readonly from?: number;
}

export function Marked({ what, text, query, from = 0 }: MarkedProps) {
  let shown = from;
  const pieces = placesIn(what, text, query)
    .filter(([, end]) => end > from)
    .map(([start, end]) => {
      const before = text.slice(shown, start);
      const marked = text.slice(Math.max(shown, start), end);
      shown = end;
      return { start, before, marked };
    });
  return (
    <>
      {pieces.map(({ start, before, marked }) => [
        before,
        <mark key={start} className="bg-mark text-text rounded-xs">
          {marked}
        </mark>,
      ])}
      {text.slice(shown)}
    </>
  );
}
