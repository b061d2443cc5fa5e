// Merges two changes of one text, line by line, where they do not touch each other.
import { diffArrays } from "diff";

/** Lines of the base that a change replaces. */
interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

const linesOf = (text: string): string[] => text.split("\n");

/** @returns undefined if both changed the same lines, or lines next to each other */
export function mergeTexts(base: string, ours: string, theirs: string): string | undefined {
  const lines = linesOf(base);
  const [left, right] = [hunksOf(lines, linesOf(ours)), hunksOf(lines, linesOf(theirs))];
  const merged: string[] = [];
  let at = 0;
  while (left.length > 0 || right.length > 0) {
    const [one, other] = [left[0], right[0]];
    const isFirst = one !== undefined && (other === undefined || one.start <= other.start);
    const next = isFirst ? one : other;
    if (next === undefined) break;
    if (one && other && touch(one, other)) {
      if (JSON.stringify(one) !== JSON.stringify(other)) return undefined;
      left.shift();
      right.shift();
    } else (isFirst ? left : right).shift();
    merged.push(...lines.slice(at, next.start), ...next.lines);
    at = next.end;
  }
  return [...merged, ...lines.slice(at)].join("\n");
}

const touch = (one: Hunk, other: Hunk): boolean => one.start <= other.end && other.start <= one.end;

function hunksOf(base: readonly string[], changed: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  let at = 0;
  let open: { start: number; end: number; lines: string[] } | undefined;
  for (const { added, removed, value } of diffArrays([...base], [...changed])) {
    if (!added && !removed) {
      if (open) hunks.push(open);
      open = undefined;
      at += value.length;
      continue;
    }
    open ??= { start: at, end: at, lines: [] };
    if (added) open.lines.push(...value);
    else {
      at += value.length;
      open.end = at;
    }
  }
  return open ? [...hunks, open] : hunks;
}
