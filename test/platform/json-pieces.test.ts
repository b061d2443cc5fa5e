// Large responses are made in pieces: together, they are what `JSON.stringify` returns, and their size is known before they are made.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { jsonPieces, textPieces } from "../../src/platform/http/json-pieces.ts";
import { jsonBytes } from "../../src/platform/json-bytes.ts";

const pieceLength = 64 * 1024;
const units = [
  "a",
  '"',
  "\\",
  "\n",
  "\u0001",
  "\u001f",
  "\u007f",
  "é",
  "€",
  "\u2028",
  "\ud83d\ude00",
  "\ud800",
  "\udc00",
];
/** Texts around the sizes at which they are divided. */
const longText = fc
  .tuple(fc.constantFrom(...units), fc.constantFrom(...units), fc.integer({ min: 16_370, max: 16_400 }), fc.nat(5))
  .map(([first, other, length, times]) => (first.repeat(length) + other).repeat(times));
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, undefined, true, 0, -1.5, Number.NaN, "", "plain"),
    longText,
    fc.array(tie("any"), { maxLength: 5 }),
    fc.dictionary(fc.string({ unit: fc.constantFrom(..."az_"), maxLength: 5 }), tie("any"), { maxKeys: 5 }),
  ),
})).any;

describe("a value in pieces", () => {
  test("is what JSON.stringify returns, and each piece except the last one has at least 64 KiB", () => {
    fc.assert(
      fc.property(value, (any) => {
        const pieces = [...jsonPieces({ data: any })];
        expect(pieces.join("") === JSON.stringify({ data: any })).toBe(true);
        expect(pieces.slice(0, -1).every(({ length }) => length >= pieceLength)).toBe(true);
        // Each is sent on its own, so none may end within a character.
        if (JSON.stringify(any)?.isWellFormed()) expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
      }),
    );
  });

  test("is not divided within a character after any number of lone halves of one", () => {
    for (const length of [16_383, 16_384, 16_385, 16_386]) {
      const data = `${"\ud800".repeat(length)}\udc00`;
      expect([...jsonPieces({ data })].join("") === JSON.stringify({ data })).toBe(true);
    }
  });

  test("is never much longer than 64 KiB in one piece, whatever the length of its texts", () => {
    const longest = [...jsonPieces({ data: ["\u0001".repeat(1_000_000)] })].map(({ length }) => length);
    expect(Math.max(...longest)).toBeLessThan(3 * pieceLength);
  });

  test("a text alone is divided between its characters", () => {
    fc.assert(
      fc.property(longText, (text) => {
        const pieces = [...textPieces(text)];
        expect(pieces.join("") === text).toBe(true);
        if (text.isWellFormed()) expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
      }),
    );
  });
});

test("the bytes are never fewer than those sent; where there are many, they are exact except for names and numbers", () => {
  const max = 64 * 1024 * 1024;
  fc.assert(
    fc.property(value, (any) => {
      const sent = Buffer.byteLength(JSON.stringify({ data: any }));
      expect(jsonBytes({ data: any }, 1_000, max)).toBeGreaterThanOrEqual(sent);
    }),
  );
  const mixed = `\u001f${"\udc00".repeat(600_000)}`;
  expect(jsonBytes({ data: mixed }, 1_000, max)).toBeGreaterThanOrEqual(
    Buffer.byteLength(JSON.stringify({ data: mixed })),
  );
  for (const unit of units) {
    const data = Array(8).fill(unit.repeat(300_000));
    const sent = Buffer.byteLength(JSON.stringify({ data }));
    expect(jsonBytes({ data }, 1_000, max) - sent).toBeWithin(0, 200);
    expect(jsonBytes({ data }, 1_000, sent - 1)).toBeGreaterThanOrEqual(sent);
  }
});
