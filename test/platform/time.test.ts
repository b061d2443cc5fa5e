// Moments, days and months as text: across the ends of months and years, leap days, and backwards.
import { expect, test } from "bun:test";
import {
  addDays,
  addMilliseconds,
  addMinutes,
  addSeconds,
  boundsOfMonth,
  dayInWords,
  dayOf,
  monthInWords,
  monthOf,
  shiftDay,
  startOfDay,
  startOfNextDay,
} from "../../src/platform/time.ts";
import "../support/once.ts";

test("a moment moves by milliseconds, seconds, minutes and days, also backwards and across a leap day", () => {
  const moment = "2028-02-28T23:59:59.999Z";
  expect(addMilliseconds(moment, 1)).toBe("2028-02-29T00:00:00.000Z");
  expect(addSeconds(moment, -60)).toBe("2028-02-28T23:58:59.999Z");
  expect(addMinutes(moment, 24 * 60)).toBe("2028-02-29T23:59:59.999Z");
  expect(addDays(moment, 2)).toBe("2028-03-01T23:59:59.999Z");
  expect(addDays(moment, -59)).toBe("2027-12-31T23:59:59.999Z");
});

test("a moment has a day and a month, and a day has a first moment and a first moment after it", () => {
  expect(dayOf("2026-12-31T23:59:59.999Z")).toBe("2026-12-31");
  expect(monthOf("2026-12-31T23:59:59.999Z")).toBe("2026-12");
  expect(startOfDay("2026-12-31")).toBe("2026-12-31T00:00:00.000Z");
  expect(startOfNextDay("2026-12-31")).toBe("2027-01-01T00:00:00.000Z");
  expect(shiftDay("2026-03-01", -1)).toBe("2026-02-28");
  expect(shiftDay("2026-12-31", 1)).toBe("2027-01-01");
});

test("a month begins with its first moment and ends before the first of the next, across the end of a year too", () => {
  expect(boundsOfMonth("2026-12")).toEqual({ from: "2026-12-01T00:00:00.000Z", before: "2027-01-01T00:00:00.000Z" });
  expect(boundsOfMonth("2028-02")).toEqual({ from: "2028-02-01T00:00:00.000Z", before: "2028-03-01T00:00:00.000Z" });
});

test("a day and a month have words, without a leading zero", () => {
  expect(dayInWords("2026-04-01T00:00:00.000Z")).toBe("April 1, 2026");
  expect(dayInWords("2028-12-31T23:59:59.999Z")).toBe("December 31, 2028");
  expect(monthInWords("2026-01")).toBe("January 2026");
  expect(monthInWords("2026-12")).toBe("December 2026");
});
