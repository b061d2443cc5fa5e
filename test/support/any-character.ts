// Random texts of all characters that a request can carry.
import fc from "fast-check";

const surrogates = { first: 0xd800, last: 0xdfff };

/** Any code point. fast-check's own unit of this kind prepares a table of all of them for each arbitrary that uses it. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter((point) => point < surrogates.first || point > surrogates.last)
  .map((point) => String.fromCodePoint(point));
