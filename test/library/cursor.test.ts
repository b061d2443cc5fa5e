// Cursors of lists: what they belong to, and what is refused.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import { limits } from "../../src/contract/limits.ts";
import { type CursorList, cursorPage, cursorPart, formatCursor, readCursor } from "../../src/library/cursor.ts";
import { fittingTexts } from "../../src/library/response-size.ts";

const { id, moment, text, integer } = cursorPart;
const list: CursorList = { name: "getSearch", parameters: { query: "a b", tagIds: ["1", "2"], teamId: undefined } };
const position = ["2026-01-31T09:30:00.000Z", "019b8d62-7a80-7d1f-9c44-0b7f3e5a1c92"] as const;
const cursor = formatCursor(list, position);
const refusal = "cursor must be the nextCursor of a response to the same request";

test("a cursor holds a position of its list, in whatever order its parameters are named", () => {
  expect(readCursor(list, cursor, moment, id)).toEqual([...position]);
  const sameList = { name: "getSearch", parameters: { tagIds: ["2", "1"], query: "a b" } };
  expect(readCursor(sameList, cursor, moment, id)).toEqual([...position]);
  expect(readCursor(list, undefined, moment, id)).toBeUndefined();
  const tier = formatCursor(list, [3, "größer 💥", ...position]);
  expect(readCursor(list, tier, integer, text, moment, id)).toEqual([3, "größer 💥", ...position]);
});

test("a cursor of another list or with another parameter is refused", () => {
  const others: CursorList[] = [
    { ...list, name: "getTrash" },
    { ...list, parameters: {} },
    ...[{ query: "a" }, { tagIds: ["1"] }, { teamId: "1" }, { since: new Date(0) }].map((change) => ({
      ...list,
      parameters: { ...list.parameters, ...change },
    })),
  ];
  for (const other of others) expect(() => readCursor(other, cursor, moment, id)).toThrow(refusal);
});

test("a cursor with any character changed, added or removed is refused", () => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ .";
  for (let place = 0; place <= cursor.length; place += 1) {
    const changed = [cursor.slice(0, place) + cursor.slice(place + 1)];
    for (const letter of alphabet) {
      changed.push(cursor.slice(0, place) + letter + cursor.slice(place));
      changed.push(cursor.slice(0, place) + letter + cursor.slice(place + 1));
    }
    for (const each of changed) if (each !== cursor) expect(() => readCursor(list, each, moment, id)).toThrow(refusal);
  }
});

describe("text that never was a cursor is refused", () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  test.each(["x", "null", "{}", encode(null), encode({}), encode([]), encode(["a"]), encode([[]]), "💥", "a\0", " "])(
    "%j",
    (value) => expect(() => readCursor(list, value, moment, id)).toThrow(refusal),
  );

  test("a forged position that no database should see", () => {
    const forged: (string | number)[][] = [
      ["2026-02-30T09:30:00.000Z", position[1]],
      ["0001-01-01T00:00:00.000Z", position[1]],
      ["2026-01-31", position[1]],
      [position[0], "x"],
      [position[0]],
      [...position, "more"],
      [1, 2],
    ];
    for (const each of forged) expect(() => readCursor(list, formatCursor(list, each), moment, id)).toThrow(refusal);
  });

  test.each([["\0"], ["\ud800"], [1.5], [2 ** 60]])("a forged part: %j", (part) =>
    expect(() => readCursor(list, formatCursor(list, [part]), typeof part === "number" ? integer : text)).toThrow(
      refusal,
    ),
  );
});

test("a page names the next one while something follows, also where it ends early", () => {
  const rows = ["a", "b", "c"];
  const positionOf = (row: string) => [row];
  const page = (limit: number, itemsMax?: number) =>
    cursorPage(list, rows, { limit, ...(itemsMax !== undefined && { itemsMax }) }, positionOf);
  expect(page(3)).toEqual({ page: rows, pagination: { limit: 3, nextCursor: null } });
  expect(page(2)).toEqual({ page: ["a", "b"], pagination: { limit: 2, nextCursor: formatCursor(list, ["b"]) } });
  expect(page(3, 1)).toEqual({ page: ["a"], pagination: { limit: 3, nextCursor: formatCursor(list, ["a"]) } });
  expect(cursorPage(list, [], { limit: 3 }, positionOf)).toEqual({
    page: [],
    pagination: { limit: 3, nextCursor: null },
  });
});

test("as many texts fit as stay within the limit of one response, at least one", () => {
  const most = limits.responseTextBytesMax;
  expect(fittingTexts([])).toBe(0);
  expect(fittingTexts([most, 0, 1])).toBe(2);
  expect(fittingTexts([most + 1, 1])).toBe(1);
  expect(fittingTexts([1, most, 1])).toBe(1);
  expect(fittingTexts([1, 2, 3])).toBe(3);
});
