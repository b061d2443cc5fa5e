// How many bytes a value has as JSON, without making all of it: escaping can make six bytes of one character.
import { JsonText } from "./json-text.ts";

/** The longest form of one UTF-16 code unit: \u0001. */
const unitBytesMax = 6;
/** The longest form of one byte of UTF-8 that is not such a character: an escaped quote. */
const escapedBytesMax = 2;
/** The longest number, with the comma after it. */
const numberBytesMax = 25;
/** Quotes, a colon and a comma. */
const punctuationBytes = 4;
/** Above this, bytes are counted exactly. */
const estimatedBytesMax = 1024 * 1024;

/** Names are those of our responses, which nothing in them makes longer. @returns at least the bytes of the value as JSON; once that exceeds `max`, only that it does */
export const jsonBytesMax = (value: unknown, max: number): number =>
  sum(value, (text) => text.length * unitBytesMax, max);

/** @returns the bytes of the value as JSON; never too few, and too many only where they are few; above `max`, only that there are more */
export function jsonBytes(value: unknown, smallMax: number, max: number): number {
  const bound = jsonBytesMax(value, smallMax);
  if (bound <= smallMax) return bound;
  const estimate = sum(value, estimateText, estimatedBytesMax);
  return estimate <= estimatedBytesMax ? estimate : sum(value, countText, max);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: those that become six bytes.
const longEscapes = /[\u0000-\u0007\u000b\u000e-\u001f]/;

const estimateText = (text: string): number =>
  longEscapes.test(text) ? text.length * unitBytesMax : Buffer.byteLength(text) * escapedBytesMax;

/** @returns at most the bytes of a text as JSON, and nearly all of them where it has many long escapes */
export const jsonBytesMin = (text: string): number => (longEscapes.test(text) ? countUnits(text) : text.length);

/** Serialized, a text of long escapes would take six times its memory. */
function countText(text: string): number {
  if (!longEscapes.test(text)) return Buffer.byteLength(JSON.stringify(text));
  // A lone surrogate, which no stored text has, is escaped too.
  return text.isWellFormed() ? countUnits(text) : text.length * unitBytesMax;
}

function countUnits(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // Half of a surrogate pair is half of four bytes.
    if (unit >= 0x80) bytes += unit < 0x8_00 || (unit >= 0xd8_00 && unit < 0xe0_00) ? 2 : 3;
    else if (unit >= 0x20) bytes += unit === 0x22 || unit === 0x5c ? 2 : 1;
    else bytes += unit >= 8 && unit <= 13 && unit !== 11 ? 2 : unitBytesMax;
  }
  return bytes;
}

function sum(value: unknown, bytesOf: (text: string) => number, max: number): number {
  if (typeof value === "string") return bytesOf(value) + punctuationBytes;
  if (typeof value !== "object" || value === null) return numberBytesMax;
  if (value instanceof JsonText) return value.bytes;
  let bytes = punctuationBytes;
  if (Array.isArray(value))
    for (const part of value) {
      bytes += sum(part, bytesOf, max);
      if (bytes > max) break;
    }
  // Unlike `Object.entries`, makes nothing.
  else
    for (const name in value) {
      bytes += name.length + punctuationBytes + sum((value as Record<string, unknown>)[name], bytesOf, max);
      if (bytes > max) break;
    }
  return bytes;
}
