// The progress bar: its line, and that it always fits the terminal.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { progressLine } from "../../src/operations/commands/progress.ts";
import { formatAmount, formatDuration } from "../../src/operations/format.ts";

const halfway = {
  label: "Copying",
  done: 1_200_000_000,
  total: 2_500_000_000,
  unit: "bytes",
  elapsedMilliseconds: 5_000,
};

test.each([
  [79, "Copying  ############-------------   48%  1.2 GB of 2.5 GB  240 MB/s  0:06 left"],
  [60, "Copying  #######---------   48%  1.2 GB of 2.5 GB  0:06 left"],
  [39, "Copying  ######-------   48%  0:06 left"],
  [30, "Copying  #######--------   48%"],
  [16, "Copying   48%"],
  [5, "Copyi"],
])("in %i columns the least needed is left out", (columns, line) => {
  expect(progressLine(halfway, columns)).toBe(line);
  expect(line.length).toBeLessThanOrEqual(columns);
});

test("rows are counted, and what has no known end has no bar", () => {
  const rows = { label: "snippets", done: 123_456, total: 2_500_000, unit: "rows", elapsedMilliseconds: 5_000 };
  expect(progressLine(rows, 79)).toBe(
    "snippets  ----------    4%  123,456 of 2,500,000 rows  24,691 rows/s  1:37 left",
  );
  expect(progressLine({ ...rows, total: 0 }, 79)).toBe("snippets  123,456 rows  24,691 rows/s");
  expect(progressLine({ ...rows, total: 0, done: 12, unit: "s" }, 79)).toBe("snippets  12 s");
});

test("no rate is told before there is one, and more than all is all", () => {
  expect(progressLine({ ...halfway, elapsedMilliseconds: 400 }, 60)).not.toContain("/s");
  expect(progressLine({ ...halfway, done: 3_000_000_000 }, 60)).toContain(" 100% ");
  expect(progressLine({ ...halfway, done: 0 }, 60)).toBe(
    "Copying  ---------------------------    0%  0.0 KB of 2.5 GB",
  );
});

test("amounts and times as people write them", () => {
  const bytes = [0, 999, 12_345, 9_999_999, 123_456_789, 1_500_000_000_000].map((value) =>
    formatAmount(value, "bytes"),
  );
  expect(bytes).toEqual(["0.0 KB", "1.0 KB", "12 KB", "10.0 MB", "123 MB", "1500 GB"]);
  expect([0, 7, 59.2, 750, 11_100].map(formatDuration)).toEqual(["0:00", "0:07", "1:00", "12:30", "3:05:00"]);
});
