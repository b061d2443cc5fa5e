// Pages of the console's lists. A cursor holds the position of a page's last row, as text that means nothing to the client.
import { errors } from "../contract/errors.ts";
import { isUuid } from "../contract/uuid.ts";

export const formatCursor = (position: readonly string[]): string =>
  Buffer.from(JSON.stringify(position)).toString("base64url");

/** @throws Refusal `invalid` for text that is no cursor of `parts` parts */
export function parseCursor(cursor: string | undefined, parts: number): string[] | undefined {
  if (cursor === undefined) return undefined;
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(position) && position.length === parts && position.every((part) => typeof part === "string"))
      return position;
  } catch {
    // Refused below, like other text that is no cursor.
  }
  throw cursorInvalid();
}

export const cursorInvalid = () => errors.invalid("cursor must be the nextCursor of a response");

/** The position in a list by name: name and id. @throws Refusal `invalid` */
export const parseNameCursor = (cursor: string | undefined) =>
  parsePair(cursor, (name) => name.isWellFormed() && !name.includes("\u0000"));

/** The position in a list by time: moment and id. @throws Refusal `invalid` */
export const parseTimeCursor = (cursor: string | undefined) => parsePair(cursor, isMoment);

function parsePair(cursor: string | undefined, isValid: (first: string) => boolean): string[] | undefined {
  const position = parseCursor(cursor, 2);
  const [first = "", id = ""] = position ?? [];
  if (position && !(isValid(first) && isUuid(id))) throw cursorInvalid();
  return position;
}

/** Whether the text is a moment as this service writes it, in a year that both engines know. */
export function isMoment(text: string): boolean {
  const at = /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString() === text;
}

/** @param rows one more than the limit where there are more. @returns the page, and the cursor of the next one or null */
export function pageOf<Row>(rows: readonly Row[], limit: number, positionOf: (row: Row) => readonly string[]) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: rows.length > limit && last !== undefined ? formatCursor(positionOf(last)) : null };
}
