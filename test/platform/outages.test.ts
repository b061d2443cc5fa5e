// An outage of the database in the log: its cause once, then one line a second with what failed, then its end with the totals.
import { expect, test } from "bun:test";
import { DatabaseTooSlow, DatabaseUnavailable } from "../../src/platform/database/database.ts";
import { Outages } from "../../src/platform/database/outages.ts";
import { startJobs } from "../../src/platform/jobs.ts";
import type { Log, LogFields } from "../../src/platform/log.ts";
import { until } from "../support/nodes.ts";
import "../support/once.ts";

function record(milliseconds: number) {
  const lines: ({ level: string; message: string } & LogFields)[] = [];
  const log: Log = {
    write: (level, message, fields) => lines.push({ level, message, ...fields }),
    flush: () => undefined,
  };
  const state = { isGone: true };
  const ping = async () => {
    if (state.isGone) throw new DatabaseUnavailable("gone");
  };
  return { lines, log, state, outages: new Outages(log, { ping }, milliseconds) };
}
const untilLine = (lines: readonly { message: string }[], message: string, number = 1) =>
  until(async () => lines.filter((line) => line.message === message).length === number, 30_000);

test("a thousand failures: the first has its stack, the others are counted, and the end has the totals", async () => {
  const { lines, state, outages } = record(20);
  const failure = new DatabaseUnavailable("no connection is free", { cause: new Error("refused") });
  for (let number = 0; number < 1_000; number += 1) outages.absorb(failure, { requestId: String(number) });
  for (let number = 0; number < 3; number += 1) outages.absorb(failure, { job: "mail" });
  await untilLine(lines, "database unavailable", 2);
  state.isGone = false;
  await untilLine(lines, "database available again");
  const durationSeconds = expect.any(Number);
  expect(lines).toEqual([
    {
      level: "error",
      message: "database unavailable",
      requestId: "0",
      cause: expect.stringMatching(/^DatabaseUnavailable: no connection is free\n +at .*\nError: refused\n/s),
    },
    {
      level: "error",
      message: "database unavailable",
      durationSeconds,
      requests: 999,
      jobs: 3,
      cause: "no connection is free",
    },
    { level: "warn", message: "database available again", durationSeconds, requests: 1_000, jobs: 3 },
  ]);
});

test("while it does not respond, nothing is written if nothing fails, and the next outage has its own totals", async () => {
  const { lines, state, outages } = record(5);
  outages.absorb(new DatabaseUnavailable("first"), { requestId: "1" });
  await Bun.sleep(50);
  expect(lines).toHaveLength(1);
  state.isGone = false;
  await untilLine(lines, "database available again");
  outages.absorb(new DatabaseUnavailable("second"), { requestId: "2" });
  await untilLine(lines, "database available again", 2);
  expect(lines.map(({ message, requests }) => [message, requests])).toEqual([
    ["database unavailable", undefined],
    ["database available again", 1],
    ["database unavailable", undefined],
    ["database available again", 1],
  ]);
});

test("a service that stops writes what was counted, and nothing after that", async () => {
  const { lines, outages } = record(60_000);
  for (let number = 0; number < 3; number += 1) outages.absorb(new DatabaseUnavailable("gone"), { requestId: "" });
  outages.stop();
  expect(lines.map(({ message, requests }) => [message, requests])).toEqual([
    ["database unavailable", undefined],
    ["database unavailable", 2],
  ]);
});

test("what is no outage is not absorbed: a defect, and a search that took too long", () => {
  const { lines, outages } = record(60_000);
  expect(outages.absorb(new TypeError("defect"), { requestId: "1" })).toBe(false);
  expect(outages.absorb(new DatabaseTooSlow("slow"), { requestId: "1" })).toBe(false);
  expect(lines).toEqual([]);
});

test("a job that fails for the same reason has no line of its own", async () => {
  const { lines, log, outages } = record(60_000);
  let runs = 0;
  const run = async () => {
    runs += 1;
    throw runs === 3 ? new Error("defect") : new DatabaseUnavailable("gone");
  };
  const stop = startJobs([{ name: "mail", everySeconds: 0, firstAfterSeconds: 0, lock: "none", run }], {
    log,
    outages,
  });
  await until(async () => runs > 5, 30_000);
  await stop();
  outages.stop();
  expect(lines.map(({ message, job }) => [message, job])).toEqual([
    ["database unavailable", "mail"],
    ["job failed", "mail"],
    ["database unavailable", undefined],
  ]);
});
