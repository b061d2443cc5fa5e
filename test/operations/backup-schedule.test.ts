// Scheduled backups: when they are due, which are kept, and that a failure is logged and retried. Only time is faked.
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { backupJob } from "../../src/operations/backup/schedule.ts";
import { startJobs, type Wait } from "../../src/platform/jobs.ts";
import { makeLargeDatabase, mountSmallDisk, namesIn } from "../support/backup.ts";
import { engine } from "../support/engine.ts";
import { spawnService } from "../support/process.ts";
import { makeWorkspace, runJson } from "../support/program.ts";
import { expectConsistentBalances } from "../support/quota-totals.ts";
import { temporaryDirectory } from "../support/service.ts";

const hour = 60 * 60 * 1_000;
const line = (level: string, message: string, fields: object = {}) => ({ level, message, ...fields });
const made = (fields: object = {}) =>
  line("info", "job finished", { job: "backups", durationMilliseconds: expect.any(Number), ...fields });
/** The start of the log line, after its time. */
const backupMade = '"message":"job finished","job":"backups"';
const failed = (cause: unknown) =>
  line("error", "job failed", { job: "backups", durationMilliseconds: expect.any(Number), cause });

/** The only process that another one started. */
const childOf = (pid: number): number =>
  Number(
    readdirSync(`/proc/${pid}/task`)
      .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").trim())
      .join(""),
  );

describe.skipIf(engine.name !== "sqlite")("backups by schedule", () => {
  let dataDirectory = "";
  beforeAll(async () => {
    dataDirectory = temporaryDirectory();
    await makeWorkspace({ COMMONPLACE_DATA_DIRECTORY: dataDirectory });
  });

  /** A schedule whose clock starts at noon on March 15, 2026, and that only the test advances. */
  function start(directory: string, { everyHours = 24, keep = 7, data = dataDirectory } = {}) {
    let now = Date.parse("2026-03-15T12:00:00.000Z");
    let wake = () => {};
    let isWaiting = false;
    const told: object[] = [];
    const wait: Wait = (milliseconds, signal) =>
      new Promise((resolve) => {
        const until = now + milliseconds;
        isWaiting = true;
        wake = () => {
          if (now < until && !signal.aborted) return;
          isWaiting = false;
          resolve();
        };
        signal.addEventListener("abort", wake);
      });
    const job = backupJob({
      settings: { directory, everyHours, keep },
      databasePath: join(data, "commonplace.db"),
      clock: () => now,
    });
    const stop = startJobs([job], {
      log: { write: (level, message, fields) => void told.push(line(level, message, fields)), flush: () => {} },
      wait,
    });
    const settled = async () => {
      while (!isWaiting) await Bun.sleep(1);
    };
    return {
      told,
      stop,
      settled,
      /** Advances the clock hour by hour. */
      pass: async (hours: number) => {
        for (let passed = 0; passed < hours; passed += 1) {
          await settled();
          now += hour;
          wake();
        }
        await settled();
      },
    };
  }

  const at = (day: number, time = "120000") => `commonplace-202603${day}T${time}Z.db`;

  test("the first at once, then one every so many hours, each told with its size and the time it took", async () => {
    const directory = join(temporaryDirectory(), "made/by/need");
    const { told, stop, settled, pass } = start(directory, { everyHours: 6 });
    await settled();
    expect(namesIn(directory)).toEqual([at(15)]);
    await pass(5);
    expect(namesIn(directory)).toEqual([at(15)]);
    await pass(1);
    await pass(12);
    await stop();
    const names = [at(15), at(15, "180000"), at(16, "000000"), at(16, "060000")];
    expect(namesIn(directory)).toEqual(names);
    expect(told).toEqual(
      names.map((name) => {
        const path = join(directory, name);
        return made({ path, bytes: statSync(path).size, removed: 0 });
      }),
    );
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    for (const name of names)
      await runJson(["restore", "--from", join(directory, name), "--data", join(temporaryDirectory(), "data")]);
  });

  test("the newest are kept; nothing goes that does not bear the name of a backup", async () => {
    const directory = temporaryDirectory();
    const others = [
      "commonplace-20200101T000000Z.db.gz",
      "commonplace-before-the-move.db",
      "notes.txt",
      "20200101T000000Z.db",
    ];
    for (const name of [...others, "commonplace-20200101T000000Z.db", at(14), at(13)])
      writeFileSync(join(directory, name), name);
    const { told, stop, pass } = start(directory, { keep: 3 });
    await pass(24 * 3);
    await stop();
    expect(namesIn(directory)).toEqual([...others, at(16), at(17), at(18)].sort());
    expect(told.map((entry) => "removed" in entry && entry.removed)).toEqual([1, 1, 1, 1]);
  });

  test("after a start the next is due when the newest is old enough; one of the future keeps nobody waiting", async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, at(14, "200000")), "Sixteen hours old");
    const later = start(directory);
    await later.pass(7);
    expect(namesIn(directory)).toEqual([at(14, "200000")]);
    await later.pass(1);
    await later.stop();
    expect(namesIn(directory)).toEqual([at(14, "200000"), at(15, "200000")]);

    const elsewhere = temporaryDirectory();
    writeFileSync(join(elsewhere, at(31)), "Made by a wrong clock");
    const now = start(elsewhere, { keep: 1 });
    await now.settled();
    await now.stop();
    // The new backup is never the one that is deleted.
    expect(namesIn(elsewhere)).toEqual([at(15)]);
  });

  test("a failure is an error in the log, tried again every hour, and harms nothing that is there", async () => {
    const directory = join(temporaryDirectory(), "backups");
    writeFileSync(directory, "A file where the directory should be");
    const { told, stop, settled, pass } = start(directory);
    await settled();
    await pass(1);
    const isThere = failed(expect.stringContaining("EEXIST"));
    expect(told).toEqual([isThere, isThere]);
    rmSync(directory);
    mkdirSync(directory);
    await pass(1);
    await stop();
    expect(told.slice(2)).toEqual([expect.objectContaining(made())]);
    expect(namesIn(directory)).toEqual([at(15, "140000")]);
  });

  test("a full disk is such a failure: no half file, the older ones stay, and it goes on when there is room", async () => {
    const small = mountSmallDisk(8);
    if (!small) return console.log("backup-schedule.test.ts: the full disk is skipped, as this user may not mount one");
    try {
      writeFileSync(join(small.path, "large"), new Uint8Array(6_000_000));
      writeFileSync(join(small.path, at(12)), "An older one");
      const { told, stop, settled, pass } = start(small.path, {
        data: (await makeLargeDatabase(4)).dataDirectory,
        keep: 1,
      });
      await settled();
      const cause = "the copy failed: database or disk is full";
      expect(told).toEqual([failed(cause)]);
      expect(namesIn(small.path)).toEqual([at(12), "large"]);
      rmSync(join(small.path, "large"));
      await pass(1);
      await stop();
      expect(namesIn(small.path)).toEqual([at(15, "130000")]);
    } finally {
      small.unmount();
    }
  });

  test("the end does not wait for a backup that is under way, which leaves nothing behind", async () => {
    const directory = temporaryDirectory();
    const { told, stop } = start(directory, { data: (await makeLargeDatabase(30)).dataDirectory });
    while (namesIn(directory).length === 0) await Bun.sleep(1);
    await stop();
    expect(namesIn(directory)).toEqual([]);
    expect(told).toEqual([]);
  });

  test("a service makes them by its settings, and answers calls meanwhile", async () => {
    const { dataDirectory: data, workspace, team, secret } = await makeLargeDatabase(80);
    const directory = temporaryDirectory();
    const start = () => spawnService(data, { COMMONPLACE_BACKUP_DIRECTORY: directory });
    let service = await start();
    const isUnderWay = () => namesIn(directory).some((name) => name.endsWith(".partial"));
    while (!isUnderWay()) {
      await Bun.sleep(1);
      if (!service.log().includes(backupMade)) continue;
      // This process was told too late that the service had started.
      service.kill("SIGTERM");
      await service.ended;
      for (const made of namesIn(directory)) rmSync(join(directory, made));
      service = await start();
    }
    const client = service.clientFor(secret);
    // Held in the middle: on a busy computer, a call takes longer than the backup.
    const worker = childOf(service.pid);
    process.kill(worker, "SIGSTOP");
    try {
      expect(isUnderWay()).toBe(true);
      await client.postTag({ tagName: "Meanwhile", tagColor: "#fff", teamId: team });
    } finally {
      process.kill(worker, "SIGCONT");
    }
    while (!service.log().includes(backupMade)) await Bun.sleep(10);
    const lines = service.log().split("\n");
    const entry = JSON.parse(lines.find((text) => text.includes(backupMade)) ?? "");
    const [name = ""] = namesIn(directory);
    expect(name).toMatch(/^commonplace-\d{8}T\d{6}Z\.db$/);
    expect(entry).toMatchObject({ level: "info", path: join(directory, name), bytes: expect.any(Number), removed: 0 });
    const restored = join(temporaryDirectory(), "data");
    await runJson(["restore", "--from", entry.path, "--data", restored]);
    await expectConsistentBalances(engine.rowsOf(restored), workspace);

    const startedAt = performance.now();
    service.kill("SIGTERM");
    expect(await service.ended).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  }, 60_000);
});
