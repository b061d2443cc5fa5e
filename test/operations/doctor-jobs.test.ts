// ./commonplace doctor on background jobs: a job that keeps failing while the service runs is a warning, a stopped service is not.
import { describe, expect, test } from "bun:test";
import { examineInstance } from "../../src/operations/doctor/doctor.ts";
import { type JobRunRow, saveJobRun } from "../../src/platform/job-runs.store.ts";
import { databaseSettings, openNode } from "../support/engine.ts";
import { freePort } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

const running = "2026-03-15T12:00:00.000Z";
const row = (job: string, more: Partial<JobRunRow> = {}): JobRunRow => ({
  job,
  every_seconds: 3_600,
  running_since: running,
  last_started_at: null,
  last_succeeded_at: null,
  last_failed_at: null,
  last_failure: null,
  ...more,
});
/** A recent run of a job shows that the service is running. */
const certificates = (at: string) =>
  row("certificates", { every_seconds: 2, last_started_at: at, last_succeeded_at: at });

async function examine(rows: readonly JobRunRow[]) {
  const directory = temporaryDirectory();
  const database = await openNode(directory);
  await database.transaction(async (transaction) => {
    for (const each of rows) saveJobRun(transaction, each);
  });
  await database.close();
  const closed = { COMMONPLACE_HTTP_PORT: "off", COMMONPLACE_HTTPS_PORT: String(freePort()) };
  const findings = await examineInstance(
    { COMMONPLACE_DATA_DIRECTORY: directory, ...closed, ...(await databaseSettings(directory)) },
    () => undefined,
  );
  const found = findings.find(({ check }) => check === "jobs");
  return [found?.severity, found?.message];
}

describe("jobs", () => {
  test("that were never recorded are no complaint", async () => {
    expect(await examine([])).toEqual([
      "ok",
      "no runs recorded yet: the first one appears a minute after the service starts",
    ]);
  });

  test("are told with their last success", async () => {
    const folded = row("folding", { last_succeeded_at: "2026-03-15T15:30:00.000Z" });
    expect(
      await examine([
        certificates("2026-03-15T15:31:59.000Z"),
        folded,
        row("totals", { running_since: "2026-03-15T15:00:00.000Z" }),
      ]),
    ).toEqual(["ok", "certificates: 2026-03-15 15:31 UTC, folding: 2026-03-15 15:30 UTC, totals: no success yet"]);
  });

  test("that have not succeeded for three intervals while others ran are a warning, with the last failure", async () => {
    const failing = row("folding", {
      last_succeeded_at: "2026-03-15T13:00:00.000Z",
      last_failed_at: "2026-03-15T16:00:00.000Z",
      last_failure: "DatabaseUnavailable: gone",
    });
    // Three hours, plus ten minutes for a run in progress.
    expect((await examine([certificates("2026-03-15T16:10:00.000Z"), failing]))[0]).toBe("ok");
    expect(await examine([certificates("2026-03-15T16:10:01.000Z"), failing])).toEqual([
      "warning",
      'job "folding" last succeeded 2026-03-15 13:00 UTC; last failure: DatabaseUnavailable: gone',
    ]);
  });

  test("that never ended since the start are a warning too", async () => {
    expect(await examine([certificates("2026-03-15T15:11:00.000Z"), row("folding")])).toEqual([
      "warning",
      'job "folding" has never succeeded',
    ]);
  });

  test("of a service that was stopped, or has just started again, are not late", async () => {
    const folded = row("folding", { last_succeeded_at: "2026-03-15T12:30:00.000Z" });
    expect((await examine([certificates("2026-03-15T12:31:00.000Z"), folded]))[0]).toBe("ok");
    const since = { running_since: "2026-06-01T00:00:00.000Z" };
    const restarted = [
      { ...certificates("2026-06-01T00:01:00.000Z"), ...since },
      { ...folded, ...since },
    ];
    expect((await examine(restarted))[0]).toBe("ok");
  });
});
