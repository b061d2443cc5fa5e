// Reads what a block of a segment has of a range of terms.
import { rankOf, visitList, zero } from "./blocks.ts";
import type { TermRange } from "./terms.ts";

/**
 * Calls `take` with the ordinals of the terms in the range. Terms are compared as far as they differ from the one before: a string for each
 * of them would take most of the time of a search.
 */
export function findInBlock(data: string, { term, isPrefix }: TermRange, take: (ordinal: number) => void): void {
  /** How many code units of the wanted term the current one begins with. */
  let matched = 0;
  for (let at = 0; at < data.length; ) {
    const shared = data.charCodeAt(at) - zero;
    const [start, end] = [at + 2, at + 2 + data.charCodeAt(at + 1) - zero];
    const listEnd = end + 1 + data.charCodeAt(end) - zero;
    at = listEnd;
    // The current term differs from the wanted one where the one before did.
    if (shared > matched) {
      if (matched === term.length && isPrefix) visitList(data, end + 1, listEnd, take);
      continue;
    }
    matched = shared;
    let index = start;
    while (index < end && matched < term.length && data.charCodeAt(index) === term.charCodeAt(matched)) {
      index += 1;
      matched += 1;
    }
    if (matched === term.length) {
      if (isPrefix || index === end) visitList(data, end + 1, listEnd, take);
    } else if (index < end && rankOf(data.charCodeAt(index)) > rankOf(term.charCodeAt(matched))) return; // Behind the range.
  }
}

/** Calls `take` with each term of a block. */
export function visitTermsOfBlock(data: string, take: (term: string) => void): void {
  let term = "";
  for (let at = 0; at < data.length; ) {
    const shared = data.charCodeAt(at) - zero;
    const end = at + 2 + data.charCodeAt(at + 1) - zero;
    term = term.slice(0, shared) + data.slice(at + 2, end);
    take(term);
    at = end + 1 + data.charCodeAt(end) - zero;
  }
}
