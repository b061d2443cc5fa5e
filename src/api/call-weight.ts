// Roughly how much work a call is, as a multiple of one that reads a snippet: groups of calls are bounded by it. No decision depends on it.
import type { GroupedCall } from "../platform/database/call-group.ts";

/** A page of a hundred snippets. */
const listWeight = 32;
const itemWeight = 0.25;
const bytesOfWeightOne = 4_096;
const shortBytesMax = 64 * 1_024;

interface CallSize {
  readonly isReading: boolean;
  /** Its price does not depend on what is read, which means that little is read. */
  readonly isOfOne: boolean;
  readonly body: unknown;
  readonly bodyBytes: number;
}

export function weigh({ isReading, isOfOne, body, bodyBytes }: CallSize): Pick<GroupedCall, "isShort" | "weight"> {
  if (isOfOne && bodyBytes <= shortBytesMax) return { isShort: true, weight: 1 };
  const items = Array.isArray(body) ? body.length : 1;
  return { isShort: false, weight: isReading ? listWeight : items * itemWeight + bodyBytes / bytesOfWeightOne };
}
