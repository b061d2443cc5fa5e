// The orders of a search, and the positions in them that cursors hold.
import { cursorPart } from "../cursor.ts";
import { fold } from "./folding.ts";
import type { Found } from "./judge.ts";

export type Position = readonly (string | number)[];

export interface Order {
  readonly by: "relevance" | "updated" | "created" | "title";
  readonly positionOf: (found: Found) => Position;
  readonly compare: (left: Position, right: Position) => number;
}

const compare = (left: string | number | undefined, right: string | number | undefined): number =>
  compareTexts(String(left), String(right));

const newestFirst = ([leftTime, leftId]: Position, [rightTime, rightId]: Position): number =>
  compare(rightTime, leftTime) || compare(rightId, leftId);

const toTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

export const orders = {
  relevance: {
    by: "relevance",
    parts: [cursorPart.integer, cursorPart.moment, cursorPart.id],
    positionOf: ({ tier, updatedAt, id }) => [tier, toTime(updatedAt), id],
    compare: ([leftTier, ...left], [rightTier, ...right]) =>
      Number(leftTier) - Number(rightTier) || newestFirst(left, right),
  },
  updated: {
    by: "updated",
    parts: [cursorPart.moment, cursorPart.id],
    positionOf: ({ updatedAt, id }) => [toTime(updatedAt), id],
    compare: newestFirst,
  },
  created: {
    by: "created",
    parts: [cursorPart.moment, cursorPart.id],
    positionOf: ({ createdAt, id }) => [createdAt, id],
    compare: newestFirst,
  },
  title: {
    by: "title",
    parts: [cursorPart.text, cursorPart.id],
    positionOf: ({ title, id }) => [fold(title).folded, id],
    compare: ([leftTitle, leftId], [rightTitle, rightId]) => compare(leftTitle, rightTitle) || compare(leftId, rightId),
  },
} as const satisfies Record<string, Order & { readonly parts: readonly unknown[] }>;

/** Compares as both databases do: by code point, which differs from UTF-16 for the characters behind the surrogates. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const [one, other] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (one === other) continue;
    if (one >= 0xd800 && other >= 0xd800) {
      const [isOneAstral, isOtherAstral] = [one < 0xe000, other < 0xe000];
      if (isOneAstral !== isOtherAstral) return isOneAstral ? 1 : -1;
    }
    return one - other;
  }
  return left.length - right.length;
}
