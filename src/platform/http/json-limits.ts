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
    if (byte === quote) {
      for (at += 1; at < bytes.length && bytes[at] !== quote; at += 1) if (bytes[at] === backslash) at += 1;
    } else if (byte === bracketClose || byte === braceClose) depth -= 1;
    else if (byte === comma || byte === colon || byte === bracketOpen || byte === braceOpen) {
      values += 1;
      if (byte === bracketOpen || byte === braceOpen) depth += 1;
      if (depth > limits.bodyDepthMax) throw errors.bodyTooDeep(limits.bodyDepthMax);
      if (values > limits.bodyValuesMax) throw errors.tooManyValues(limits.bodyValuesMax);
    }
  }
}
