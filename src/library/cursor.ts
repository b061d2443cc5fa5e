// Cursors: the position after which a page begins, bound to its list. A cursor holds no rights and does not expire: it says where to go on
// in what the caller can access now.
import { createHash } from "node:crypto";
import { errors } from "../contract/errors.ts";
import { isUuid } from "../contract/uuid.ts";

type Understood = string | number | boolean | Date | readonly string[] | undefined;

/** What a cursor belongs to. */
export interface CursorList {
  /** The name of the operation. */
  readonly name: string;
  /** All its parameters but `limit` and `cursor`, as the rule understands them: defaults are filled in, sets are arrays in any order. */
  readonly parameters: Readonly<Record<string, Understood>>;
}

/** One part of a position, such as a moment. It refuses what a database would not take. */
type Part<Value extends string | number> = (value: unknown) => value is Value;
type PositionOf<Parts extends readonly Part<string | number>[]> = {
  readonly [Index in keyof Parts]: Parts[Index] extends Part<infer Value> ? Value : never;
};

/** The parts that positions are made of. */
export const cursorPart = {
  id: (value: unknown): value is string => typeof value === "string" && isUuid(value),
  /** A moment as this service writes it, in a year that both engines know. */
  moment: (value: unknown): value is string =>
    typeof value === "string" &&
    /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) &&
    !Number.isNaN(Date.parse(value)) &&
    new Date(value).toISOString() === value,
  text: (value: unknown): value is string =>
    typeof value === "string" && value.isWellFormed() && !value.includes("\u0000"),
  integer: (value: unknown): value is number => Number.isSafeInteger(value),
};

/** The cursor of the page after the item at `position`. */
export const formatCursor = (list: CursorList, position: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify([digestOf(list, position), ...position])).toString("base64url");

/**
 * The position that a cursor of this list holds; undefined without a cursor.
 * @throws Refusal 400 for a cursor of another list, a changed one, and text that never was one
 */
export function readCursor<Parts extends readonly Part<string | number>[]>(
  list: CursorList,
  cursor: string | undefined,
  ...parts: Parts
): PositionOf<Parts> | undefined {
  if (cursor === undefined) return undefined;
  const [, ...position] = parseArray(cursor);
  if (position.length !== parts.length || !parts.every((isPart, index) => isPart(position[index])))
    throw errors.cursorInvalid();
  // Each part was checked.
  const known = position as unknown as PositionOf<Parts>;
  // Also refuses another spelling of the same bytes.
  if (formatCursor(list, known) !== cursor) throw errors.cursorInvalid();
  return known;
}

function parseArray(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

/** Binds a position to its list, so that mistakes are refused. A forged position only leads into a list that the caller can read anyway. */
function digestOf({ name, parameters }: CursorList, position: readonly (string | number)[]): string {
  const understood = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([parameter, value]) => [parameter, Array.isArray(value) ? [...value].sort() : value])
    .sort(([one = ""], [other = ""]) => (String(one) < String(other) ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([name, understood, position]))
    .digest("base64url")
    .slice(0, 22);
}

/**
 * The page, and its pagination.
 * @param rows those after the cursor: one more than `limit` where there are more
 * @param itemsMax how many of them fit into one response, if fewer than `limit` do
 */
export function cursorPage<Row>(
  list: CursorList,
  rows: readonly Row[],
  { limit, itemsMax = limit }: { readonly limit: number; readonly itemsMax?: number },
  positionOf: (row: Row) => readonly (string | number)[],
) {
  const page = rows.slice(0, Math.min(limit, itemsMax));
  const last = page.at(-1);
  const nextCursor = rows.length > page.length && last ? formatCursor(list, positionOf(last)) : null;
  return { page, pagination: { limit, nextCursor } };
}
