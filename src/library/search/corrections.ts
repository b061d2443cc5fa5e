// What a query that finds nothing may have meant: its words as other texts spell them. A correction counts only if the search finds something
// with it, so it reveals no text that the reader cannot open.
import type { Transaction } from "../../platform/database/database.ts";
import { visitTermsOfBlock } from "./find-in-block.ts";
import { fold } from "./folding.ts";
import { findBlocks, listPending, listSegments, type Segment } from "./index.store.ts";
import { rowTextBytesMax } from "./judge.ts";
import { findCandidates, findTagNames, type SearchFilter } from "./search.store.ts";
import { termKind } from "./terms.ts";

/** Shorter words are too much like too many others. */
const wordLengthMin = 4;
/** The index has no more of a word. */
const wordLengthMax = 16;
/** From this length on, two letters may be wrong. */
const longWordLength = 8;
/** The letters at the beginning of a word that have to be right: all words with the same ones are compared. More of them in a large workspace. */
const rightLetters = { few: 2, many: 3 };
const manyDocuments = 20_000;
/** Snippets that the index does not have yet, and of which the words are read. */
const pendingMax = 200;
/** So many corrections are tried. */
export const correctionsMax = 4;

/** Queries to try instead, the most similar first; none where each word occurs somewhere. */
export async function listCorrections(
  transaction: Transaction,
  workspaceId: string,
  filter: SearchFilter,
  query: string,
): Promise<readonly string[]> {
  const tokens = query.split(/\s+/).filter(Boolean);
  const words = tokens.map((token) => fold(token).folded);
  if (!words.some(isCorrectable)) return [];
  const segments = await listSegments(transaction, workspaceId);
  const isLarge = segments.reduce((sum, { document_count }) => sum + document_count, 0) > manyDocuments;
  const startOf = (word: string): string => word.slice(0, isLarge ? rightLetters.many : rightLetters.few);
  const known = await readWords(transaction, workspaceId, filter, segments, words.filter(isCorrectable).map(startOf));
  const choices = words.map((word, index) => {
    const same = isCorrectable(word) ? (known.get(startOf(word)) ?? new Set<string>()) : undefined;
    if (!same || [...same].some((other) => other.startsWith(word))) return [tokens[index] ?? ""];
    return similarWords(word, same);
  });
  if (choices.some((some) => some.length === 0)) return [];
  // The words vary one at a time: others stay at their best.
  const best = choices.map(([first = ""]) => first);
  const varied = choices.flatMap((some, index) => some.slice(1).map((other) => best.with(index, other).join(" ")));
  const isChanged = (text: string) => text !== tokens.join(" ");
  return [...new Set([best.join(" "), ...varied])].filter(isChanged).slice(0, correctionsMax);
}

const isCorrectable = (word: string): boolean =>
  /^[\p{L}\p{N}]+$/u.test(word) && word.length >= wordLengthMin && word.length <= wordLengthMax;

/** The words of a workspace that begin like this, by their beginning: of the index, of what it does not have yet, and of tags. */
async function readWords(
  transaction: Transaction,
  workspaceId: string,
  filter: SearchFilter,
  segments: readonly Segment[],
  starts: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const words = new Map(starts.map((start) => [start, new Set<string>()]));
  const length = starts[0]?.length ?? 0;
  const add = (word: string) => words.get(word.slice(0, length))?.add(word);
  const [pending, tagNames] = await Promise.all([
    listPending(transaction, workspaceId, pendingMax),
    findTagNames(transaction, workspaceId, filter.teamIds),
  ]);
  const ranges = segments.flatMap(({ segment }) =>
    [...words.keys()].map((start) => ({ segment, term: termKind.text + start, isPrefix: true })),
  );
  const blocks = ranges.length > 0 ? await findBlocks(transaction, workspaceId, ranges) : [];
  for (const { data } of blocks)
    visitTermsOfBlock(data, (term) => term.startsWith(termKind.text) && add(term.slice(termKind.text.length)));
  const ids = [...new Set(pending.flatMap(({ snippetIds }) => snippetIds))].slice(0, pendingMax);
  const rows = ids.length > 0 ? await findCandidates(transaction, workspaceId, filter, ids, rowTextBytesMax) : [];
  const texts = rows.flatMap(({ title, shortcut, note, contents }) => [title, shortcut, note, ...(contents ?? [])]);
  for (const text of [tagNames, ...texts])
    for (const [word] of fold(text ?? "").folded.matchAll(/[\p{L}\p{N}]+/gu)) add(word.slice(0, wordLengthMax));
  return words;
}

/** The words, or their beginnings, that differ from a word by little, the most similar first. */
function similarWords(word: string, words: Iterable<string>): string[] {
  const most = word.length < longWordLength ? 1 : 2;
  const found = new Map<string, number>();
  for (const other of words) {
    if (other.length < word.length - most) continue;
    const { distance, length } = distanceToBeginning(word, other);
    const beginning = other.slice(0, length);
    if (distance <= most) found.set(beginning, distance);
  }
  return [...found]
    .sort(([one, oneDistance], [two, twoDistance]) => oneDistance - twoDistance || (one < two ? -1 : 1))
    .map(([text]) => text);
}

/**
 * How many letters have to be added, left out, replaced, or swapped with the next one to make a word the beginning of another, and how long
 * that beginning is.
 */
export function distanceToBeginning(word: string, other: string): { distance: number; length: number } {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= word.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = word[row - 1] === other[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (row > 1 && column > 1 && word[row - 1] === other[column - 2] && word[row - 2] === other[column - 1])
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    [beforeLast, last] = [last, current];
  }
  const distance = Math.min(...last);
  return { distance, length: last.lastIndexOf(distance) };
}
