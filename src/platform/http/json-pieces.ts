// A value as JSON in pieces, so that a large response is never in memory as one text and its bytes. Together they are what `JSON.stringify` returns.
import { jsonBytesMax } from "../json-bytes.ts";
import { JsonText } from "../json-text.ts";

const pieceLengthMin = 64 * 1024;
/** A value up to this size is serialized at once. */
const wholeBytesMax = 16 * 1024;

/** Pieces of at least 64 KiB, except for the last one. */
export function* jsonPieces(value: unknown): Generator<string, void> {
  yield* inPieces(parts(value));
}

/** A text in pieces of about 64 KiB. */
export function* textPieces(text: string): Generator<string, void> {
  yield* inPieces(slices(text));
}

function* inPieces(parts: Iterable<string>): Generator<string, void> {
  let piece = "";
  for (const part of parts) {
    piece += part;
    if (piece.length < pieceLengthMin) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

function* parts(value: unknown): Generator<string, void> {
  if (typeof value === "string" && value.length > wholeBytesMax) {
    yield '"';
    for (const slice of slices(value)) yield JSON.stringify(slice).slice(1, -1);
    yield '"';
  } else if (value instanceof JsonText) yield* slices(value.text);
  else if (typeof value !== "object" || value === null || jsonBytesMax(value, wholeBytesMax) <= wholeBytesMax)
    // In an array, what JSON does not have is null.
    yield JSON.stringify(value) ?? "null";
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield index === 0 ? "[" : ",";
      yield* parts(item);
    }
    yield "]";
  } else {
    let before = "{";
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* parts(field);
      before = ",";
    }
    yield "}";
  }
}

/** No slice ends between the halves of a surrogate pair. */
function* slices(text: string): Generator<string, void> {
  for (let at = 0; at < text.length; ) {
    const next = at + wholeBytesMax;
    const end = isHighSurrogate(text.charCodeAt(next - 1)) && isLowSurrogate(text.charCodeAt(next)) ? next + 1 : next;
    yield text.slice(at, end);
    at = end;
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd8_00 && unit < 0xdc_00;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc_00 && unit < 0xe0_00;
