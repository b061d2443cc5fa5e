// Where a page ended, as text that means nothing to the client.
import { errors } from "../contract/errors.ts";

export const toCursor = (place: readonly string[]): string => Buffer.from(JSON.stringify(place)).toString("base64url");

/** @throws Refusal 400 where the text is no cursor of `parts` parts */
export function fromCursor(cursor: string | undefined, parts: number): string[] | undefined {
  if (cursor === undefined) return undefined;
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(place) && place.length === parts && place.every((part) => typeof part === "string")) return place;
  } catch {
    // Told below, like every other text that is none.
  }
  throw errors.invalid("cursor must be the nextCursor of an answer");
}

/** The rows of a page of which one more was asked for, and where the next begins. */
export function pageOf<Row>(rows: readonly Row[], limit: number, placeOf: (row: Row) => readonly string[]) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: rows.length > limit && last !== undefined ? toCursor(placeOf(last)) : null };
}
