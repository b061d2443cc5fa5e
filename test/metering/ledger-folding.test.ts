// Usage that is older than the retention is folded into daily totals, and no sum changes by it (decisions, Quota and invoices).
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { deactivateKey, deleteKey } from "../../src/metering/keys/keys.ts";
import { foldedRowsMax, foldLedger } from "../../src/metering/quota/folding.ts";
import { readQuota } from "../../src/metering/quota/quota.ts";
import { readUsage } from "../../src/metering/quota/usage.ts";
import { DatabaseUnavailable } from "../../src/platform/database/database.ts";
import { type Job, startJobs, type Wait, type YieldToCalls } from "../../src/platform/jobs.ts";
import { databaseSettings, openNode } from "../support/engine.ts";
import { expectRefusal } from "../support/expect.ts";
import {
  at,
  atMost,
  type Call,
  dayMilliseconds,
  days,
  expectedDays,
  expectFolded,
  failing,
  insertCalls,
  insertPastCalls,
  manyOldCalls,
  type PastCalls,
  readUsageAndInvoices,
  retentionCutoff,
  sums,
  tablesOf,
  withTransaction,
} from "../support/folding.ts";
import { runJson } from "../support/program.ts";
import { expectConsistentBalances } from "../support/quota-totals.ts";
import { type Started, startService } from "../support/service.ts";

describe("folding", () => {
  const moment = fc.oneof(
    fc.integer({ min: 0, max: 160 * dayMilliseconds - 1 }).map((age) => new Date(Date.parse(at) - age).toISOString()),
    fc
      .tuple(
        fc.constantFrom(
          retentionCutoff,
          "2026-02-01T00:00:00.000Z",
          "2026-03-01T00:00:00.000Z",
          "2026-03-11T00:00:00.000Z",
        ),
        fc.integer({ min: -2, max: 2 }),
      )
      .map(([day, milliseconds]) => new Date(Date.parse(day) + milliseconds).toISOString()),
  );
  const call: fc.Arbitrary<Call> = fc.record({
    at: moment,
    key: fc.nat({ max: 2 }),
    operation: fc.constantFrom("getSnippet", "getSnippets", "postSnippets", "deleteFolders"),
    status: fc.constantFrom(200, 200, 400, 404),
    units: fc.nat({ max: 100 }),
  });

  test("of any calls over months: no sum changes, nothing young is touched, twice changes nothing", async () => {
    const started = await startService({ at });
    const { database } = started.service;
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 600, size: "max" }), async (calls) => {
        const past = await insertPastCalls(database, calls);
        const accounts = await readUsageAndInvoices(database, past);
        const old = calls.filter((one) => one.at < retentionCutoff).length;

        expect(await foldLedger(database, days)).toEqual({ rows: old, before: retentionCutoff });

        await expectFolded(started, past);
        expect(await readUsageAndInvoices(database, past)).toEqual(accounts);
        for (const usage of accounts.usage) {
          const inMonth = calls.filter((one) => one.at.startsWith(usage.month));
          expect(sums(usage.by_operation, (row) => row.operation)).toEqual(sums(inMonth, (one) => one.operation));
          expect(sums(usage.by_key, (row) => row.key_id)).toEqual(sums(inMonth, (one) => past.keyIds[one.key] ?? ""));
          expect([usage.calls, usage.units]).toEqual([
            inMonth.length,
            inMonth.reduce((sum, one) => sum + one.units, 0),
          ]);
        }
        const tables = await tablesOf(started, past.workspaceId);
        expect(await foldLedger(database, days)).toEqual({ rows: 0, before: retentionCutoff });
        expect(await tablesOf(started, past.workspaceId)).toEqual(tables);
      }),
      { numRuns: 20, interruptAfterTimeLimit: 30_000, markInterruptAsFailure: true },
    );
  }, 120_000);

  test("begins with the day that lies wholly behind the retention, to the millisecond", async () => {
    const started = await startService({ at });
    const { database } = started.service;
    const callAt = (moment: string): Call => ({ at: moment, key: 0, operation: "getTag", status: 200, units: 1 });
    const past = await insertPastCalls(
      database,
      ["2026-03-11T00:00:00.000Z", "2026-03-11T23:59:59.999Z", retentionCutoff, "2026-03-12T15:30:00.001Z", at].map(
        callAt,
      ),
    );
    expect(await foldLedger(database, days)).toEqual({ rows: 2, before: retentionCutoff });
    const { folded } = await tablesOf(started, past.workspaceId);
    expect(folded).toEqual([
      { day: "2026-03-11", key_id: past.keyIds[0] ?? "", operation: "getTag", status: 200, calls: 2, units: 2 },
    ]);
    await expectFolded(started, past);
  });

  test("adds to a total that is there, where an older row comes to light later", async () => {
    const started = await startService({ at });
    const { database } = started.service;
    const calls = manyOldCalls(300);
    const past = await insertPastCalls(database, calls);
    await foldLedger(database, days);
    await database.transaction((transaction) => insertCalls(transaction, past.workspaceId, past.keyIds, calls));
    expect((await foldLedger(database, days)).rows).toBe(300);
    await expectFolded(started, { ...past, calls: [...calls, ...calls] });
  });

  test("stops when it is told to, and goes on from there", async () => {
    const started = await startService({ at });
    const { database } = started.service;
    const past = await insertPastCalls(database, manyOldCalls(foldedRowsMax * 3 + 1));
    // The first transaction looks for workspaces.
    expect((await foldLedger(database, days, atMost(2))).rows).toBe(foldedRowsMax);
    const { ledger, together } = await tablesOf(started, past.workspaceId);
    expect(ledger).toHaveLength(foldedRowsMax * 2 + 1);
    expect(together).toEqual(expectedDays(past));
    expect((await foldLedger(database, days)).rows).toBe(foldedRowsMax * 2 + 1);
    await expectFolded(started, past);
  });

  test("finds the calls of many workspaces", async () => {
    const started = await startService({ at });
    const { database } = started.service;
    const all: PastCalls[] = [];
    for (let index = 0; index < 120; index += 1) all.push(await insertPastCalls(database, manyOldCalls(index % 7)));
    expect((await foldLedger(database, days)).rows).toBe(all.reduce((sum, past) => sum + past.calls.length, 0));
    for (const past of all) await expectFolded(started, past);
  });

  test("eight times at once, on two nodes, counts nothing twice", async () => {
    const started = await startService({ at });
    const { database } = started.service;
    const past = await insertPastCalls(database, manyOldCalls(5_000));
    const node = await openNode(started.dataDirectory, () => started.clock.now);
    const folds = [database, node, database, node, database, node, database, node];
    const folded = await Promise.all(folds.map((one) => foldLedger(one, days)));
    await node.close();
    expect(folded.reduce((sum, { rows }) => sum + rows, 0)).toBe(5_000);
    await expectFolded(started, past);
  });

  test.each([
    ["before anything", "delete from ledger", 2],
    ["between ledger and totals", "add to usage_days", 1],
    ["between ledger and totals of a later portion", "add to usage_days", 3],
    ["before the commit", "end of the transaction", 2],
  ])("a crash %s of a portion keeps nothing of it, and the next fold does it all", async (_, text, from) => {
    const started = await startService({ at });
    const { database } = started.service;
    const past = await insertPastCalls(database, manyOldCalls(1_000));
    const crashed = foldLedger(failing(database, text, from), days);
    expect(await crashed.catch((error: Error) => error.message)).toBe("the process is gone");
    const { ledger, together } = await tablesOf(started, past.workspaceId);
    expect(ledger.length % foldedRowsMax).toBe(0);
    expect(together).toEqual(expectedDays(past));
    expect((await foldLedger(database, days)).rows).toBe(ledger.length);
    await expectFolded(started, past);
  });

  test("of 20,000 rows goes in portions, and calls are answered between them", async () => {
    const started = await startService({ at });
    const { database } = started.service;
    const past = await insertPastCalls(database, manyOldCalls(0));
    const calls = manyOldCalls(20_000);
    for (let index = 0; index < calls.length; index += 5_000)
      await database.transaction((transaction) =>
        insertCalls(transaction, past.workspaceId, past.keyIds, calls.slice(index, index + 5_000)),
      );
    const tag = await started.given.tag();
    let isDone = false;
    let portions = 0;
    const folding = foldLedger(database, days, async () => {
      portions += 1;
      return true;
    }).finally(() => {
      isDone = true;
    });
    const portionsPerCall: number[] = [];
    let used = 1;
    while (!isDone) {
      const before = portions;
      await started.client.getTag({ tagId: tag.id });
      used += 1;
      portionsPerCall.push(portions - before);
    }
    expect((await folding).rows).toBe(20_000);
    expect(portions).toBeGreaterThan(20_000 / foldedRowsMax);
    // A call waits for the current portion, not for the entire folding.
    expect(portionsPerCall.length).toBeGreaterThan(10);
    expect(portionsPerCall.toSorted((left, right) => left - right)[portionsPerCall.length >> 1]).toBeLessThan(20);
    expect(await tablesOf(started, past.workspaceId)).toMatchObject({
      ledger: [],
      together: expectedDays({ ...past, calls }),
    });
    expect(await started.admin((transaction) => readQuota(transaction, started.workspace.id))).toMatchObject({ used });
  }, 120_000);
});

describe("after folding", () => {
  test("real calls, over three months: usage, quota, books and invoices are as they were, deleted keys keep theirs", async () => {
    const started = await startService({ at: "2026-01-30T12:00:00.000Z" });
    const { clock, workspace, service } = started;
    for (let day = 0; day < 60; day += 6) {
      await started.given.tag();
      await started.call("GET", "/snippet", { key: started.limitedKey.secret, query: { id: "wrong" } });
      clock.advance(6 * 24 * 60 * 60);
    }
    await started.admin((transaction) => deactivateKey(transaction, started.limitedKey.id));
    await started.admin((transaction) => deleteKey(transaction, started.limitedKey.id));
    const past = { workspaceId: workspace.id, keyIds: [], calls: [] };
    const accounts = () =>
      started.admin(async (transaction) => ({
        january: await readUsage(transaction, workspace.id, "2026-01"),
        february: await readUsage(transaction, workspace.id, "2026-02"),
        march: await readUsage(transaction, workspace.id, "2026-03"),
      }));
    const [usage, others] = [await accounts(), await readUsageAndInvoices(service.database, past)];
    expect(usage.february).toMatchObject({ calls: 8, units: 8 });
    expect(others.invoices).toHaveLength(2);

    expect((await foldLedger(service.database, 10)).rows).toBe(18);

    expect(await accounts()).toEqual(usage);
    const settings = {
      COMMONPLACE_DATA_DIRECTORY: started.dataDirectory,
      ...(await databaseSettings(started.dataDirectory)),
    };
    const told = await runJson(["usage", "--workspace", workspace.id, "--month", "2026-02"], settings);
    expect(told).toEqual(usage.february);
    expect(usage.february.by_key.map((row) => [row.name, row.calls])).toContainEqual(["One team", 4]);
    expect(await readUsageAndInvoices(service.database, past)).toEqual(others);
    await expectConsistentBalances(started.rows, workspace.id);
  });

  test("the rate limit still knows the last minute, whatever was folded", async () => {
    const started = await startService({ at, config: { requestsPerMinute: 3 } });
    const { service, clock, key } = started;
    const call = () => started.call("GET", "/snippet", { key: key.secret, query: { id: "wrong" } });
    await call();
    clock.advance(3 * 24 * 60 * 60);
    for (let index = 0; index < 3; index += 1) await call();
    expect((await foldLedger(service.database, 2)).rows).toBe(1);
    expectRefusal(await call(), 429, "Rate limit exceeded. Try again in 60 seconds", 0);
    clock.advance(60);
    expect((await call()).status).toBe(400);
  });
});

describe("a running service", () => {
  /** Without the console, folding is the first of so many jobs in the table that wait so long. */
  const quiet = { isConsoleOn: false };
  const quietJobs = 6;
  /** Shorter are the pauses of a fold, and the waits of the job that writes refused requests: they end soon. */
  const heldMillisecondsMin = 30_000;

  /**
   * Time that only the test advances.
   * @param jobCount how many jobs wait so long: the first one's waits are the test's, the others wait until the end
   */
  function heldTime(jobCount = 1) {
    const waits: { milliseconds: number; signal: AbortSignal; end: () => void }[] = [];
    let noticed = Promise.withResolvers<void>();
    let count = 0;
    const wait: Wait = (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        if (milliseconds < heldMillisecondsMin) return void setTimeout(resolve, 5);
        signal.addEventListener("abort", () => resolve());
        count += 1;
        if (count > 1 && count <= jobCount) return;
        waits.push({ milliseconds, signal, end: resolve });
        noticed.resolve();
      });
    /** The next long wait, in seconds. */
    const next = async () => {
      await noticed.promise;
      noticed = Promise.withResolvers();
      const found = waits.shift();
      if (!found) throw new Error("nothing waits");
      return { ...found, seconds: found.milliseconds / 1_000 };
    };
    return { wait, next };
  }

  const linesOf = (started: Started) =>
    started.lines.map((line) => JSON.parse(line)).filter((line) => line.job === "folding");

  test("folds a while after its start and then every hour, and says so in one line when there was something", async () => {
    const { wait, next } = heldTime(quietJobs);
    const started = await startService({ at, wait, config: quiet });
    const first = await next();
    expect(first.seconds).toBeWithin(60, 121);
    const past = await insertPastCalls(started.service.database, manyOldCalls(1_000));
    first.end();

    const second = await next();
    expect(second.seconds).toBe(3_600);
    await expectFolded(started, past);
    const line = {
      level: "info",
      message: "job finished",
      job: "folding",
      durationMilliseconds: expect.any(Number),
      rows: 1_000,
      before: retentionCutoff,
    };
    expect(linesOf(started)).toEqual([line]);

    second.end();
    (await next()).end();
    await next();
    expect(linesOf(started)).toEqual([line]);
  });

  test("keeps what the setting says", async () => {
    const { wait, next } = heldTime(quietJobs);
    const started = await startService({ at, wait, config: { ...quiet, ledgerDays: 365 } });
    const past = await insertPastCalls(started.service.database, manyOldCalls(10));
    (await next()).end();
    await next();
    expect((await tablesOf(started, past.workspaceId)).folded).toEqual([]);
  });

  /** A job that runs an hour after the last one, with its own log. */
  const startJob = (run: Job["run"], wait: Wait) => {
    const logged: object[] = [];
    const stop = startJobs([{ name: "folding", everySeconds: 3_600, firstAfterSeconds: 60, lock: "none", run }], {
      wait,
      log: { write: (level, message, fields) => void logged.push({ level, message, ...fields }), flush: () => {} },
    });
    return { stop, logged };
  };

  test("logs a failure and tries again an hour later", async () => {
    const { wait, next } = heldTime();
    let runs = 0;
    const { stop, logged } = startJob(async () => {
      runs += 1;
      if (runs === 1) throw new DatabaseUnavailable("gone for now");
      return undefined;
    }, wait);
    (await next()).end();
    const second = await next();
    const failure = { level: "error", message: "job failed", job: "folding", durationMilliseconds: expect.any(Number) };
    expect({ runs, logged }).toEqual({
      runs: 1,
      logged: [{ ...failure, cause: expect.stringMatching(/^DatabaseUnavailable: gone for now\n/) }],
    });
    expect(second.seconds).toBe(3_600);
    second.end();
    await next();
    expect({ runs, logged: logged.length }).toEqual({ runs: 2, logged: 1 });
    await stop();
  });

  test("ends the fold with the portion under way when it is stopped", async () => {
    const { wait, next } = heldTime();
    const started = await startService({ at });
    const { database } = started.service;
    const past = await insertPastCalls(database, manyOldCalls(5_000));
    let stop = async () => {};
    let isUnderWay = false;
    let portions = 0;
    const stopped = Promise.withResolvers<{ isUnderWay: boolean }>();
    const watched = withTransaction(database, async (...given) => {
      isUnderWay = true;
      portions += 1;
      if (portions === 3) stop().then(() => stopped.resolve({ isUnderWay }));
      return database.transaction(...given).finally(() => {
        isUnderWay = false;
      });
    });
    const fold = async ({ yieldToCalls }: { yieldToCalls: YieldToCalls }) =>
      void (await foldLedger(watched, days, yieldToCalls));
    ({ stop } = startJob(fold, wait));
    (await next()).end();
    expect(await stopped.promise).toEqual({ isUnderWay: false });
    const { ledger, together } = await tablesOf(started, past.workspaceId);
    expect(ledger).toHaveLength(5_000 - 3 * foldedRowsMax);
    expect(together).toEqual(expectedDays(past));
  });

  test("ends its wait for the next fold when it stops", async () => {
    const { wait, next } = heldTime(quietJobs);
    const { service } = await startService({ at, wait, config: quiet });
    const { signal } = await next();
    expect(signal.aborted).toBe(false);
    await service.stop();
    expect(signal.aborted).toBe(true);
  });
});
