// How many bytes a value has as JSON, without making all of it: escaping can make six bytes of one character.

/** The longest form of one UTF-16 code unit: \u0001. */
const unitBytesMax = 6;
/** The longest number, with the comma after it. */
const numberBytesMax = 25;
/** Quotes, a colon and a comma. */
const punctuationBytes = 4;

/** @returns at least the bytes of the value as JSON; once that exceeds `max`, only that it does */
export function jsonBytesMax(value: unknown, max: number): number {
  const bound = sum(value, (text) => text.length * unitBytesMax, max);
  return bound <= max ? bound : sum(value, (text) => Buffer.byteLength(JSON.stringify(text)), max);
}

function sum(value: unknown, bytesOf: (text: string) => number, max: number): number {
  if (typeof value === "string") return bytesOf(value) + punctuationBytes;
  if (typeof value !== "object" || value === null) return numberBytesMax;
  let bytes = punctuationBytes;
  for (const [name, part] of Object.entries(value)) {
    bytes += (Array.isArray(value) ? 0 : name.length + punctuationBytes) + sum(part, bytesOf, max);
    if (bytes > max) break;
  }
  return bytes;
}
