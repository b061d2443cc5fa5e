// Checks of responses in one line.
import { expect } from "bun:test";
import { errorBody } from "../../src/contract/envelope.ts";
import type { RawAnswer, TestClock } from "./service.ts";

/** Matches an ID that the service made: a UUID of version 7. */
export const newId: string = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);

/** A key without limits, as its administrator sees it. */
export const withoutLimits = {
  scope: "read_write",
  expires_at: null,
  networks: [],
  monthly_budget: null,
  budget_used: null,
  requests_per_minute: null,
} as const;

/** The clock's time as it appears in responses. */
export const moment = (clock: TestClock): string => new Date(clock.now).toISOString();

/** Fails unless the refusal has the interface's form, this message (exact or a pattern) and this cost. */
export function expectRefusal(answer: RawAnswer, status: number, message: string | RegExp, units = 1): void {
  // The message first: it explains a wrong response best.
  expect({ status: answer.status, message: answer.body?.message }).toEqual({
    status,
    message: typeof message === "string" ? message : expect.stringMatching(message),
  });
  expect(errorBody.safeParse(answer.body).error).toBeUndefined();
  expect(answer.headers.get("x-request-cost")).toBe(String(units));
  expect(answer.headers.get("x-request-id")).toBe(answer.body.requestId);
}

/** The response without its request ID, which differs in every call. */
export const withoutRequestId = (answer: RawAnswer): { status: number; text: string } => ({
  status: answer.status,
  text: answer.text.replace(String(answer.body?.requestId ?? "no request id"), ""),
});

/** Processes all items, a few at a time. @returns the results in the order of the items */
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
