// Reads what a block of a segment has of a range of terms.
import type { TermRange } from "./terms.ts";

/**
 * Calls `take` with the ordinals of the terms in the range. Terms are compared by their bytes, as far as they differ from the one before: a
 * string for each of them would take most of the time of a search.
 */
export function findInBlock(data: string, { term, isPrefix }: TermRange, take: (ordinal: number) => void): void {
  const bytes = Buffer.from(data, "base64");
  /** How many code units of the wanted term the current one begins with. */
  let matched = 0;
  for (let at = 0; at < bytes.length; ) {
    const shared = bytes[at] ?? 0;
    const [start, end] = [at + 2, at + 2 + (bytes[at + 1] ?? 0)];
    const listEnd = end + 2 + bytes.readUInt16LE(end);
    at = listEnd;
    // The current term differs from the wanted one where the one before did.
    if (shared > matched) {
      if (matched === term.length && isPrefix) visitList(bytes, end + 2, listEnd, take);
      continue;
    }
    matched = shared;
    const [first, wanted] = [bytes[start] ?? 0, term.charCodeAt(matched)];
    if (first < 128 && first !== wanted && matched < term.length) {
      // Behind the range there is nothing more of it.
      if (first > wanted) return;
      continue;
    }
    const rest = bytes.toString("utf8", start, end);
    let index = 0;
    while (index < rest.length && matched < term.length && rest.charCodeAt(index) === term.charCodeAt(matched)) {
      index += 1;
      matched += 1;
    }
    if (matched === term.length && (isPrefix || index === rest.length)) visitList(bytes, end + 2, listEnd, take);
  }
}

function visitList(bytes: Buffer, start: number, end: number, take: (ordinal: number) => void): void {
  let ordinal = 0;
  for (let at = start; at < end; ) {
    let byte = bytes[at] ?? 0;
    at += 1;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at] ?? 0;
      at += 1;
      value |= (byte & 127) << shift;
    }
    ordinal += value;
    take(ordinal);
  }
}
