// ./commonplace doctor: a healthy instance is reported as healthy, the command, and the schema. The examination changes nothing.
import { beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { withNextMigration } from "../../prove/next-migration.ts";
import { environmentOf } from "../../prove/planted-fault.ts";
import type { Finding } from "../../src/operations/doctor/check.ts";
import { schemaVersion, unfinishedCopyVersion } from "../../src/platform/database/migrate.ts";
import {
  bytesOf,
  change,
  closed,
  complaints,
  emptyInstance,
  examine,
  filledDirectory,
  findingOf,
  isSqlite,
  makeInstances,
} from "../support/doctor.ts";
import { engine } from "../support/engine.ts";
import { spawnService } from "../support/process.ts";
import { freePort, fromSource, root, run, runJson, runToEnd } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

beforeAll(makeInstances);

describe("a sound instance", () => {
  test("has nothing to complain of, and is left as it is", async () => {
    const before = [bytesOf(filledDirectory), await engine.stored(filledDirectory)];
    const findings = await examine(filledDirectory);
    expect(complaints(findings)).toEqual([]);
    for (const finding of findings) {
      expect(finding).toEqual({
        check: expect.stringMatching(/\S/),
        question: expect.stringMatching(/^[A-Z].*\?$/),
        severity: "ok",
        message: expect.stringMatching(/^\S.*\S$/),
        remedy: null,
      });
    }
    expect(new Set(findings.map(({ check }) => check)).size).toBe(findings.length);
    expect([bytesOf(filledDirectory), await engine.stored(filledDirectory)]).toEqual(before);
  });

  test("that was never started is well too, and is not made", async () => {
    const directory = join(temporaryDirectory(), "not there");
    const findings = await examine(directory);
    expect(complaints(findings)).toEqual([]);
    expect(findingOf(findings, isSqlite ? "database" : "schema version")?.message).toMatch(/created on first startup$/);
    expect(existsSync(directory)).toBeFalse();
    if (!isSqlite) expect(await engine.stored(directory)).toEqual({});
  });

  test("that serves is called so, while its calls go on", async () => {
    const directory = temporaryDirectory();
    const [port, httpPort, metricsPort] = [freePort(), freePort(), freePort()].map(String);
    const settings = {
      COMMONPLACE_HTTPS_PORT: port ?? "",
      COMMONPLACE_HTTP_PORT: httpPort ?? "",
      COMMONPLACE_METRICS_PORT: metricsPort ?? "",
    };
    const service = await spawnService(directory, settings);
    const { key = "", team_id = "" } = service.announced;
    const client = service.clientFor(key);
    let isExamined = false;
    const calling = (async () => {
      let calls = 0;
      for (; !isExamined; calls += 1)
        await client.postSnippet({ title: "A", content: { type: "plaintext", content: "B" }, teamId: team_id });
      return calls;
    })();
    const findings: Finding[] = [];
    for (let round = 0; round < 5; round += 1) findings.push(...(await examine(directory, settings)));
    isExamined = true;
    expect(await calling).toBeGreaterThan(0);
    expect(complaints(findings)).toEqual([]);
    for (const check of ["HTTPS port", "HTTP port", "metrics port"])
      expect(findingOf(findings, check)?.message).toMatch(/^\d+: the service responds$/);
    service.kill("SIGTERM");
    expect(await service.ended).toBe(0);
  });
});

describe("the command", () => {
  test("prints a line for each check and ends with 0, or JSON", async () => {
    const here = { COMMONPLACE_DATA_DIRECTORY: filledDirectory, ...closed };
    const result = await runJson(["doctor"], here);
    expect(result).toEqual({
      version: (await Bun.file(join(root, "package.json")).json()).version,
      commit: expect.stringMatching(/^([0-9a-f]{12}(-dirty)?|unknown)$/),
      severity: "ok",
      findings: expect.any(Array),
    });
    const shape = {
      check: expect.any(String),
      question: expect.any(String),
      severity: "ok",
      message: expect.any(String),
      remedy: null,
    };
    for (const finding of result.findings) expect(finding).toEqual(shape);
    const { status, stdout, stderr } = await run(["doctor"], here);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    for (const { check } of result.findings) expect(stdout).toMatch(new RegExp(`^ok       ${check} `, "m"));
    expect(stdout).toEndWith(`\n\nNo problems, no warnings, ${result.findings.length} ok.\n`);
  });

  test("ends with 0 when there are only warnings, and with 3 when there is a problem; both with --json too", async () => {
    const directory = await emptyInstance();
    chmodSync(directory, 0o750);
    const here = { COMMONPLACE_DATA_DIRECTORY: directory, ...closed };
    const warned = await run(["doctor"], here);
    expect(warned).toMatchObject({ status: 0, stderr: "" });
    expect(warned.stdout).toContain(`\nwarning  data directory        ${directory} is open to its`);
    expect(warned.stdout).toMatch(/\n {31}> Run chmod 700 on it, .*\n/);
    chmodSync(directory, 0o755);
    const [people, json] = await Promise.all([run(["doctor"], here), run(["doctor", "--json"], here)]);
    expect([people.status, json.status]).toEqual([3, 3]);
    expect(JSON.parse(json.stdout)).toMatchObject({ severity: "problem" });
    expect(people.stdout).toMatch(/\n1 problem, no warnings, \d+ ok\.\n$/);
  });

  test("shows a wrong setting as a problem, and not as a failure of its own", async () => {
    const { status, stdout, stderr } = await run(["doctor", "--json"], { ...closed, COMMONPLACE_HTTPS_PORT: "https" });
    expect({ status, stderr }).toEqual({ status: 3, stderr: "" });
    expect(JSON.parse(stdout).findings).toEqual([
      {
        check: "settings",
        question: "Are all settings valid?",
        severity: "problem",
        message: 'COMMONPLACE_HTTPS_PORT must be a whole number from 0 to 65535, not "https". Nothing else was checked',
        remedy: expect.stringContaining("./commonplace serve --help"),
      },
    ]);
  });
});

describe("the schema", () => {
  test.each([
    [
      "that is newer is a problem",
      `insert into schema_migrations values (${schemaVersion + 1}, 'later', '2026-01-01T00:00:00.000Z')`,
      "problem",
      /^version \d+, but this program supports up to \d+; its data was not checked$/,
    ],
    [
      "of half a copy is a problem",
      `insert into schema_migrations values (${unfinishedCopyVersion}, 'half', '2026-01-01T00:00:00.000Z')`,
      "problem",
      /^the database contains an unfinished copy$/,
    ],
  ])("%s", async (_, statement, severity, message) => {
    const directory = await emptyInstance();
    await change(directory, statement);
    const findings = await examine(directory);
    expect(findings.at(-1)).toMatchObject({
      check: "schema version",
      severity,
      message: expect.stringMatching(message),
    });
  });

  test("that is older is migrated at the next start", async () => {
    const directory = await emptyInstance();
    const settings = { COMMONPLACE_DATA_DIRECTORY: directory, ...closed, ...environmentOf([withNextMigration]) };
    const { stdout } = await runToEnd([fromSource, "doctor", "--json"], settings);
    expect(JSON.parse(stdout).findings.at(-1)).toMatchObject({
      check: "schema version",
      severity: "ok",
      message: `version ${schemaVersion} of ${schemaVersion + 1}: it will be migrated at the next startup; its data was not checked`,
    });
  });

  test("that lacks a column or an index is a problem", async () => {
    const directory = await emptyInstance();
    await change(directory, "drop index ledger_by_request", "alter table snippets drop column snippet_note");
    expect(complaints(await examine(directory))).toEqual([
      ["schema", "problem", "missing: ledger_by_request, snippets.snippet_note"],
    ]);
  });
});
