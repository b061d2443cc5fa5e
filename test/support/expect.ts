// What the tests say about answers in one line.
import { expect } from "bun:test";
import { errorBody } from "../../src/contract/envelope.ts";
import type { RawAnswer, TestClock } from "./service.ts";

/** An id that the service made: a UUID of version 7. */
export const newId: string = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);

/** The moment of the clock, in the form of the wire. */
export const moment = (clock: TestClock): string => new Date(clock.now).toISOString();

/** Holds a refusal to the form of the interface, the message to the letter or by a pattern, and the units to what was charged. */
export function expectRefusal(answer: RawAnswer, status: number, message: string | RegExp, units = 1): void {
  // The message first: it says most about a wrong answer.
  expect({ status: answer.status, message: answer.body?.message }).toEqual({
    status,
    message: typeof message === "string" ? message : expect.stringMatching(message),
  });
  expect(errorBody.safeParse(answer.body).error).toBeUndefined();
  expect(answer.headers.get("x-request-cost")).toBe(String(units));
  expect(answer.headers.get("x-request-id")).toBe(answer.body.requestId);
}

/** The answer as a caller can tell it from another one: everything but what is new in every call. */
export const withoutRequestId = (answer: RawAnswer): { status: number; text: string } => ({
  status: answer.status,
  text: answer.text.replace(String(answer.body?.requestId ?? "no request id"), ""),
});

/** Waits for all of these, a few at a time, in order. */
export async function inGroups<Item, Value>(
  items: readonly Item[],
  work: (item: Item) => Promise<Value>,
  groupSize = 32,
): Promise<Value[]> {
  const values: Value[] = [];
  for (let at = 0; at < items.length; at += groupSize)
    values.push(...(await Promise.all(items.slice(at, at + groupSize).map(work))));
  return values;
}
