// Background jobs: one table, one runner, one log format, one way to stop, and a record of each that the doctor and metrics read.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { listJobs } from "../../src/jobs.ts";
import { DatabaseUnavailable } from "../../src/platform/database/database.ts";
import { saveJobRun } from "../../src/platform/job-runs.store.ts";
import { JobRuns } from "../../src/platform/job-runs.ts";
import { type Job, type JobDependencies, startJobs, type Wait } from "../../src/platform/jobs.ts";
import { scrapeSeries, startMeasured } from "../support/metrics.ts";
import { root } from "../support/program.ts";
import { startService, temporaryDirectory } from "../support/service.ts";

/** Pauses that last until the test ends them, by their durations. */
function heldWaits() {
  const held: { seconds: number; end: () => void }[] = [];
  const wait: Wait = (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
      held.push({ seconds: milliseconds / 1_000, end: resolve });
    });
  const next = async () => {
    for (;;) {
      const found = held.shift();
      if (found) return found;
      await new Promise(setImmediate);
    }
  };
  return { held, wait, next };
}

function start(jobs: readonly Partial<Job>[], dependencies: Partial<JobDependencies> = {}) {
  const lines: object[] = [];
  const log = {
    write: (level: string, message: string, fields?: object) => void lines.push({ level, message, ...fields }),
    flush: () => undefined,
  };
  const all = jobs.map((job, index): Job => {
    const plain = { name: `job ${index}`, everySeconds: 3_600, firstAfterSeconds: 60, lock: "none" } as const;
    return { ...plain, run: async () => undefined, ...job };
  });
  return { lines, stop: startJobs(all, { log, ...dependencies }) };
}

const durationMilliseconds = expect.any(Number);

describe("the runner", () => {
  test("waits before the first run, up to twice as long, and between runs as long as the job says", async () => {
    const { wait, next } = heldWaits();
    let runs = 0;
    const run = async () => {
      runs += 1;
      return undefined;
    };
    const { stop } = start([{ run }], { wait });
    const first = await next();
    expect(first.seconds).toBeWithin(60, 120.001);
    expect(runs).toBe(0);
    first.end();
    const second = await next();
    expect([second.seconds, runs]).toEqual([3_600, 1]);
    second.end();
    await next();
    expect(runs).toBe(2);
    await stop();
  });

  test("logs a run that did something, and a failure with its causes; a run with nothing to do is no line", async () => {
    const { wait, next } = heldWaits();
    const outcomes: (() => Promise<object | undefined>)[] = [
      async () => undefined,
      async () => ({ rows: 3 }),
      () => Promise.reject(new DatabaseUnavailable("gone", { cause: new Error("the disk") })),
    ];
    const run = async () => (await outcomes.shift()?.()) as Record<string, unknown> | undefined;
    const { lines, stop } = start([{ name: "work", firstAfterSeconds: 0, run }], { wait });
    (await next()).end();
    (await next()).end();
    await next();
    await stop();
    expect(lines).toEqual([
      { level: "info", message: "job finished", job: "work", durationMilliseconds, rows: 3 },
      {
        level: "error",
        message: "job failed",
        job: "work",
        durationMilliseconds,
        cause: expect.stringMatching(/^DatabaseUnavailable: gone\n[\s\S]*\nError: the disk\n/),
      },
    ]);
  });

  test("a job may say itself what of its failures may be logged", async () => {
    const { wait, next } = heldWaits();
    const { lines, stop } = start(
      [
        {
          firstAfterSeconds: 0,
          run: () => Promise.reject(new Error("ada@example.com")),
          describeFailure: () => "Error",
        },
      ],
      { wait },
    );
    await next();
    await stop();
    expect(lines).toEqual([
      { level: "error", message: "job failed", job: "job 0", durationMilliseconds, cause: "Error" },
    ]);
  });

  test("a portion is followed by nine times its time for calls, and by nothing once it stops", async () => {
    const { wait, next } = heldWaits();
    const answers: boolean[] = [];
    const { stop } = start(
      [
        {
          firstAfterSeconds: 0,
          run: async ({ yieldToCalls }) => {
            await Bun.sleep(20);
            answers.push(await yieldToCalls());
            answers.push(await yieldToCalls());
            return undefined;
          },
        },
      ],
      { wait },
    );
    const pause = await next();
    expect(pause.seconds).toBeWithin(0.17, 2);
    pause.end();
    await next();
    await stop();
    expect(answers).toEqual([true, false]);
  });

  test("one stop ends all: what waits at once, what runs when it has ended; what the stop cut off is no failure", async () => {
    const { wait, next } = heldWaits();
    let isRunning = true;
    const cutOff = Promise.withResolvers<undefined>();
    const { lines, stop } = start(
      [
        {},
        {
          firstAfterSeconds: 0,
          run: ({ signal }) => {
            signal.addEventListener("abort", () => cutOff.reject(new Error("cut off")));
            return cutOff.promise.finally(async () => {
              isRunning = false;
            });
          },
        },
        { firstAfterSeconds: 0 },
      ],
      { wait },
    );
    await next();
    await next();
    expect(isRunning).toBe(true);
    await stop();
    expect({ isRunning, lines }).toEqual({ isRunning: false, lines: [] });
  });
});

const mail = { COMMONPLACE_MAIL_URL: "smtp://localhost", COMMONPLACE_MAIL_FROM: "a@example.com" };

describe("the table", () => {
  const namesFor = (environment: Record<string, string>): string[] =>
    listJobs({
      database: {} as never,
      clock: Date.now,
      origin: "https://localhost",
      instanceKey: "key",
      log: {} as never,
      config: readConfig({ COMMONPLACE_DATA_DIRECTORY: temporaryDirectory(), ...environment }),
      certificates: { check: async () => undefined },
      refusedRequests: { write: async () => undefined },
    }).map(({ name }) => name);
  test.each([
    [
      "by default",
      {},
      [
        "certificates",
        "refusals",
        "folding",
        "idempotency",
        "changes",
        "trash",
        "removal",
        "search",
        "cleanup",
        "attempts",
        "alerts",
        "webhooks",
      ],
    ],
    [
      "without the console",
      { ...mail, COMMONPLACE_CONSOLE: "off" },
      [
        "certificates",
        "refusals",
        "folding",
        "idempotency",
        "changes",
        "trash",
        "removal",
        "search",
        "alerts",
        "webhooks",
      ],
    ],
    [
      "with mail",
      mail,
      [
        "certificates",
        "refusals",
        "folding",
        "idempotency",
        "changes",
        "trash",
        "removal",
        "search",
        "cleanup",
        "attempts",
        "mail",
        "alerts",
        "webhooks",
      ],
    ],
    [
      "with backups",
      { COMMONPLACE_BACKUP_DIRECTORY: "/nowhere" },
      [
        "certificates",
        "refusals",
        "folding",
        "idempotency",
        "changes",
        "trash",
        "removal",
        "search",
        "cleanup",
        "attempts",
        "alerts",
        "webhooks",
        "backups",
      ],
    ],
  ])("%s", (_, environment, names) => {
    expect(namesFor(environment)).toEqual(names);
  });
});

test("docs/operate/monitoring.md tells of every job how often it runs and what keeps nodes apart", async () => {
  const jobs = listJobs({
    database: {} as never,
    clock: Date.now,
    origin: "https://localhost",
    instanceKey: "key",
    log: {} as never,
    config: readConfig({
      ...mail,
      COMMONPLACE_DATA_DIRECTORY: temporaryDirectory(),
      COMMONPLACE_BACKUP_DIRECTORY: "/nowhere",
      COMMONPLACE_AUDIT_DAYS: "1",
      COMMONPLACE_AUDIT_EXPORT: "/nowhere",
      COMMONPLACE_VERSION_KEEP: "1",
      COMMONPLACE_BILLING_FROM: "2026-01",
      COMMONPLACE_SELLER_NAME: "Seller",
    }),
    certificates: { check: async () => undefined },
    refusedRequests: { write: async () => undefined },
  });
  const told = [
    ...(await Bun.file(join(root, "docs/operate/monitoring.md")).text()).matchAll(
      /^\| `(\w+)` \| [^|]+ \| (\d+) s \| ([a-z ]+) \|/gm,
    ),
  ].map(([, name, seconds, lock]) => ({ name: String(name), everySeconds: Number(seconds), lock: String(lock) }));
  expect(told).toEqual(jobs.map(({ name, everySeconds, lock }) => ({ name, everySeconds, lock })));
});

test("a service that stops ends the waits of all its jobs", async () => {
  const signals: AbortSignal[] = [];
  const wait: Wait = (_, signal) =>
    new Promise((resolve) => {
      signals.push(signal);
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  const { service } = await startService({
    wait,
    config: { mail: { url: "smtp://localhost", from: "a@example.com" } },
  });
  // Refusals, folding, idempotency, changes, trash, removal, search, cleanup, attempts, mail, alerts and webhooks. Certificates wait in real time.
  expect(signals.map(({ aborted }) => aborted)).toEqual(Array(12).fill(false));
  await service.stop();
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
});

describe("the record", () => {
  const jobs = [
    { name: "one", everySeconds: 60 },
    { name: "two", everySeconds: 3_600 },
  ];
  const record = async (everySeconds?: number) => {
    const started = await startService({ at: "2026-03-15T12:00:00.000Z" });
    const lines: object[] = [];
    const log = {
      write: (level: string, message: string, fields?: object) => void lines.push({ level, message, ...fields }),
      flush: () => undefined,
    };
    return {
      ...started,
      lines,
      runs: new JobRuns(started.service.database, jobs, { log }, everySeconds),
      recorded: () => started.rows("select * from job_runs order by job"),
    };
  };
  const moment = expect.stringMatching(/^2026-03-15T1[12]:/);
  const never = { last_started_at: null, last_succeeded_at: null, last_failed_at: null, last_failure: null };

  test("has a row for each job, and what a process does not know stays as another wrote it", async () => {
    const { runs, recorded, service, admin } = await record(0);
    await admin(async (transaction) =>
      saveJobRun(transaction, { job: "given up", every_seconds: 5, running_since: transaction.now, ...never }),
    );
    runs.started("one");
    await runs.finished("one", undefined);
    const succeeded = { ...never, running_since: moment, last_started_at: moment, last_succeeded_at: moment };
    expect(await recorded()).toEqual([
      { job: "one", every_seconds: 60, ...succeeded },
      { job: "two", every_seconds: 3_600, ...never, running_since: moment },
    ]);

    const other = new JobRuns(service.database, jobs, { log: { write: () => undefined, flush: () => undefined } }, 0);
    other.started("one");
    await other.finished("one", "Error: no room for cpl_0123456789abcdef\n    at somewhere");
    const failure = { last_failed_at: moment, last_failure: "Error: no room for cpl_[removed]" };
    expect(await recorded()).toEqual([
      { job: "one", every_seconds: 60, ...succeeded, ...failure },
      { job: "two", every_seconds: 3_600, ...never, running_since: moment },
    ]);
  });

  test("is written at most once a minute, however often jobs run", async () => {
    const { runs, recorded } = await record();
    for (let run = 0; run < 3; run += 1) {
      runs.started("one");
      await runs.finished("one", undefined);
    }
    expect(await recorded()).toEqual([]);
  });

  test("a database that can not take it is a warning, and the job goes on", async () => {
    const { runs, lines, service } = await record(0);
    await service.stop();
    runs.started("one");
    await runs.finished("one", undefined);
    expect(lines).toEqual([
      { level: "warn", message: "could not record job runs", cause: expect.stringContaining("Unavailable") },
    ]);
  });
});

test("metrics tell of each job how often it ran, how long, and when it last succeeded", async () => {
  const series = await scrapeSeries(await startMeasured());
  for (const name of [
    "certificates",
    "refusals",
    "folding",
    "idempotency",
    "changes",
    "trash",
    "removal",
    "search",
    "cleanup",
    "attempts",
  ]) {
    for (const outcome of ["success", "failure"])
      expect(series.get(`commonplace_job_runs_total{job_name="${name}",outcome="${outcome}"}`), name).toBeNumber();
    expect(series.get(`commonplace_job_last_success_timestamp_seconds{job_name="${name}"}`)).toBeWithin(
      Date.now() / 1_000 - 3_600,
      Date.now() / 1_000 + 1,
    );
    expect(series.get(`commonplace_job_interval_seconds{job_name="${name}"}`), name).toBeGreaterThan(0);
    expect(series.get(`commonplace_job_duration_seconds_count{job_name="${name}"}`), name).toBeNumber();
  }
});
