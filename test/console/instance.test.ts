// What operators see of the program: its version, its upgrades, and whether a backup from before the last one exists. `doctor` says the same.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { schemaVersion } from "../../src/platform/database/migrate.ts";
import { readCommit, sourceCommit, version } from "../../src/platform/program.ts";
import { startConsole } from "../support/console.ts";
import { findingOf, isSqlite } from "../support/doctor.ts";
import { databaseSettings, engine } from "../support/engine.ts";
import { testInstanceKey } from "../support/instance-key.ts";
import { root, run, type Settings } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

const commit = sourceCommit() === "unknown" ? null : sourceCommit();
const at = "2026-11-20T12:00:00.000Z";

/** An instance that an earlier version has served before, with this schema. */
async function upgradedFrom(earlierSchema: number, backups: readonly string[] = [], upgradedAt = at) {
  const parent = temporaryDirectory();
  // The job creates no backup: the newest is not old enough, or the directory cannot be created.
  const directory = backups.length > 0 ? parent : join(parent, "file", "backups");
  if (backups.length === 0) writeFileSync(join(parent, "file"), "");
  for (const name of backups) writeFileSync(join(directory, name), "");
  const started = await startConsole({ at: upgradedAt, config: { backup: { directory, everyHours: 1_000, keep: 7 } } });
  const connection = await engine.connect(started.dataDirectory);
  await connection.run(
    "insert into started_versions (version, source_commit, schema_version, first_started_at) values ('0.0.9', 'unknown', ?, ?)",
    earlierSchema,
    "2025-11-01T00:00:00.000Z",
  );
  await connection.close();
  const operator = await started.person({ isOperator: true });
  const { data } = (await operator.call("getInstance")).body;
  const settings = {
    COMMONPLACE_DATA_DIRECTORY: started.dataDirectory,
    ...(isSqlite && { COMMONPLACE_BACKUP_DIRECTORY: directory }),
    COMMONPLACE_INSTANCE_KEY: testInstanceKey,
    ...(await databaseSettings(started.dataDirectory)),
  };
  return { data, examine: async () => findingOf((await readDoctor(settings)).findings, "upgrade") };
}

/** Whatever it finds about the files and ports of a test. */
const readDoctor = async (settings: Settings) => JSON.parse((await run(["doctor", "--json"], settings)).stdout);

test("a new instance has one version and no upgrade", async () => {
  const started = await startConsole({ at });
  const operator = await started.person({ isOperator: true });
  const first = { version, commit, schema_version: schemaVersion };
  expect((await operator.call("getInstance")).body).toEqual({
    success: true,
    data: {
      ...first,
      engine: engine.name,
      versions: [{ ...first, first_started_at: at }],
      upgraded_at: null,
      is_schema_changed: false,
      backups: null,
    },
  });
});

test("a second start of the same version is not an upgrade", async () => {
  const dataDirectory = temporaryDirectory();
  const first = await startConsole({ at, config: { dataDirectory } });
  await first.service.stop();
  const second = await startConsole({ at: "2026-11-21T12:00:00.000Z", config: { dataDirectory } });
  const operator = await second.person({ isOperator: true });
  const { data } = (await operator.call("getInstance")).body;
  expect(data).toMatchObject({ versions: [{ first_started_at: at }], upgraded_at: null });
  expect(data.versions).toHaveLength(1);
});

describe("after an upgrade", () => {
  test("the versions are listed, newest first", async () => {
    const { data } = await upgradedFrom(schemaVersion);
    expect(data).toMatchObject({
      versions: [
        { version, first_started_at: at },
        { version: "0.0.9", commit: null },
      ],
      upgraded_at: at,
      is_schema_changed: false,
    });
  });

  test.skipIf(!isSqlite)("the newest backup from before it is named", async () => {
    const { data, examine } = await upgradedFrom(schemaVersion - 1, [
      ...["commonplace-20261119T120000Z.db", "commonplace-20261101T120000Z.db.age", "other.db"],
    ]);
    expect(data).toMatchObject({
      is_schema_changed: true,
      backups: { newest_at: "2026-11-19T12:00:00.000Z", before_upgrade_at: "2026-11-19T12:00:00.000Z" },
    });
    expect(await examine()).toMatchObject({
      severity: "ok",
      message: "upgraded from 0.0.9 on 2026-11-20 12:00 UTC; the newest backup from before is of 2026-11-19 12:00 UTC",
    });
  });

  test.skipIf(!isSqlite)("a missing backup is a warning in the first week", async () => {
    const [recent, old] = [new Date().toISOString(), "2026-01-20T12:00:00.000Z"];
    for (const [upgradedAt, severity] of [[recent, "warning"] as const, [old, "ok"] as const]) {
      const { data, examine } = await upgradedFrom(schemaVersion - 1, [], upgradedAt);
      expect(data).toMatchObject({ is_schema_changed: true, backups: { newest_at: null, before_upgrade_at: null } });
      expect(await examine()).toMatchObject({
        severity,
        message: expect.stringMatching(/^upgraded from 0\.0\.9 on .* UTC; there is no backup from before in /),
      });
    }
  });

  test.skipIf(isSqlite)("backups of PostgreSQL are not checked", async () => {
    const { data, examine } = await upgradedFrom(schemaVersion - 1);
    expect(data).toMatchObject({ is_schema_changed: true, backups: null });
    expect((await examine())?.message).toEndWith(
      "; to go back, you need a backup from before. Backups of PostgreSQL are not checked",
    );
  });

  test("a backup is not needed if the schema is the same", async () => {
    const { examine } = await upgradedFrom(schemaVersion);
    expect(await examine()).toMatchObject({
      severity: "ok",
      message:
        "upgraded from 0.0.9 on 2026-11-20 12:00 UTC; the schema is the same, so you can go back without a backup",
    });
  });
});

test("the commit is that of the clone, also in the executable", async () => {
  const head = Bun.spawnSync(["git", "-C", root, "rev-parse", "--short=12", "HEAD"]).stdout.toString().trim();
  expect(readCommit()).toMatch(head === "" ? /^unknown$/ : new RegExp(`^${head}(-dirty)?$`));
  const settings = { COMMONPLACE_DATA_DIRECTORY: temporaryDirectory() };
  const { commit: told, version: toldVersion } = await readDoctor(settings);
  expect([toldVersion, told.replace("-dirty", "")]).toEqual([version, readCommit().replace("-dirty", "")]);
});
