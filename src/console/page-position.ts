// Where a page ended, in the orders that the console's lists have.
import { errors } from "../contract/errors.ts";
import { isUuid } from "../contract/uuid.ts";
import { fromCursor } from "./cursor.ts";

/** Name and id. @throws Refusal 400 */
export const placeByName = (cursor: string | undefined) =>
  placeOf(cursor, (name) => name.isWellFormed() && !name.includes("\u0000"));

/** Moment and id. @throws Refusal 400 */
export const placeByTime = (cursor: string | undefined) => placeOf(cursor, isMoment);

/** A moment as this service writes it, in a year that both engines know; the 31st of a shorter month is none. */
export function isMoment(text: string): boolean {
  const at = /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString() === text;
}

function placeOf(cursor: string | undefined, isRight: (first: string) => boolean): string[] | undefined {
  const place = fromCursor(cursor, 2);
  const [first = "", id = ""] = place ?? [];
  if (place && !(isRight(first) && isUuid(id))) throw errors.invalid("cursor must be the nextCursor of an answer");
  return place;
}
