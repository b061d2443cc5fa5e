// Limits the text of one response: a read within all other limits could return gigabytes and exhaust the memory.
import { errors } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Call } from "./call.ts";

/** How many of the first texts of these sizes fit into one response, at least one. */
export function fittingTexts(sizesInBytes: readonly number[]): number {
  let total = 0;
  const fitting = sizesInBytes.findIndex((bytes) => {
    total += bytes;
    return total > limits.responseTextBytesMax;
  });
  return fitting === -1 ? sizesInBytes.length : Math.max(1, fitting);
}

/** Up to this many texts of full length, at four bytes per character, fit without being measured. */
const unmeasuredTextsMax = limits.responseTextBytesMax / (4 * limits.contentLengthMax);

/**
 * @param sumBytes measures the texts; called only if their number alone does not decide
 * @throws Refusal 400 if the texts exceed the limit of one response, 503 if there is no room for it now
 */
export async function limitResponseText(call: Call, textCount: number, sumBytes: () => Promise<number>): Promise<void> {
  if (textCount > unmeasuredTextsMax) reserveResponseText(call, await sumBytes());
}

/** @throws Refusal 400 if so many bytes exceed the limit of one response, 503 if there is no room for them now */
export function reserveResponseText(call: Call, bytes: number): void {
  if (bytes > limits.responseTextBytesMax) throw errors.responseTextTooLarge(limits.responseTextBytesMax);
  call.reserve?.(bytes);
}
