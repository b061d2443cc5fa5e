// Refuses a body whose parsing would block the process: too deeply nested, or with too many values. It looks at each byte once.
import { errors } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [bracketOpen, bracketClose, braceOpen, braceClose] = [0x5b, 0x5d, 0x7b, 0x7d];

/** What is not valid JSON is left to the parser. @throws Refusal `invalid` */
export function requireParsable(bytes: Uint8Array): void {
  let depth = 0;
  // A value or a name follows each comma, colon and opening bracket.
  let values = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at + 1);
    else if (byte === bracketClose || byte === braceClose) depth -= 1;
    else if (byte === comma || byte === colon || byte === bracketOpen || byte === braceOpen) {
      values += 1;
      if (byte === bracketOpen || byte === braceOpen) depth += 1;
      if (depth > limits.bodyDepthMax) throw errors.bodyTooDeep(limits.bodyDepthMax);
      if (values > limits.bodyValuesMax) throw errors.tooManyValues(limits.bodyValuesMax);
    }
  }
}

/** A text is looked at byte by byte up to here, and then searched for its end, which is faster where it is long. */
const shortTextBytes = 64;

/** @returns where the text's closing quote is, or a place after the last byte */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    for (const shortEnd = at + shortTextBytes; at < shortEnd; at += 1) {
      if (at >= bytes.length || bytes[at] === quote) return at;
      if (bytes[at] === backslash) at += 1;
    }
    const found = bytes.indexOf(quote, at);
    if (found < 0) return bytes.length;
    // An odd number of backslashes before it escapes the quote.
    let first = found;
    while (first > at && bytes[first - 1] === backslash) first -= 1;
    if ((found - first) % 2 === 0) return found;
    at = found + 1;
  }
}
