// deploy/postgres-backup with a real server and real tools: backups, their number and age, and restores.
import "../support/once.ts";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { startSystemPostgres, toolsDirectory } from "../support/postgres-tools.ts";
import { root, runToEnd } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

const tools = toolsDirectory();
if (!tools) console.log("postgres-backup.test.ts: skipped, as the tools of PostgreSQL are not installed");

const script = join(root, "deploy/postgres-backup");
const serverMilliseconds = 60_000;

describe.skipIf(!tools)("postgres-backup", () => {
  let server: Awaited<ReturnType<typeof startSystemPostgres>>;
  let sql: SQL;
  beforeAll(async () => {
    server = await startSystemPostgres(tools ?? "");
    sql = new SQL(server.urlOf("postgres"), { max: 1 });
    await sql`create table notes (id bigint generated always as identity primary key, text text not null)`;
    await sql`insert into notes (text) values ('kept')`;
  }, serverMilliseconds);
  afterAll(async () => {
    await sql?.close();
    await server?.stop();
  });

  const environment = (directory: string, settings = {}) => ({
    PATH: `${tools}:${process.env.PATH}`,
    DATABASE_URL: server.urlOf("postgres"),
    BACKUP_DIRECTORY: directory,
    ...settings,
  });
  const run = (directory: string, words: string[] = [], settings = {}) =>
    runToEnd(["sh", script, ...words], environment(directory, settings));
  const texts = async () => (await sql`select text from notes order by id`).map(({ text }: { text: string }) => text);
  /** A new backup. @returns its directory and name */
  const makeBackup = async () => {
    const directory = temporaryDirectory();
    const { status, stdout, stderr } = await run(directory);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const [, name = ""] = /^Created (commonplace-\d{8}T\d{6}Z\.dump)\n$/.exec(stdout) ?? [];
    return { directory, name };
  };

  test("creates a backup that only its user can read, and keeps the newest", async () => {
    const directory = temporaryDirectory();
    const older = [1, 2, 3].map((day) => `commonplace-2026030${day}T120000Z.dump`);
    for (const name of [...older, "notes.txt"]) writeFileSync(join(directory, name), "");
    const { status, stdout } = await run(directory, [], { BACKUP_KEEP: "3" });
    const [, created = ""] = /^Created (\S+)\n$/.exec(stdout) ?? [];
    expect(status).toBe(0);
    expect(readdirSync(directory).sort()).toEqual([older[1], older[2], created, "notes.txt"].map(String).sort());
    expect(statSync(join(directory, created)).mode & 0o777).toBe(0o600);
    expect((await run(directory, ["list"])).stdout).toBe(`${older[1]}\n${older[2]}\n${created}\n`);
  });

  test("check fails without a new backup", async () => {
    const { directory, name } = await makeBackup();
    expect((await run(directory, ["check"])).status).toBe(0);
    const old = Date.now() / 1_000 - 27 * 3_600;
    utimesSync(join(directory, name), old, old);
    expect((await run(directory, ["check"])).status).toBe(1);
    expect((await run(directory, ["check"], { BACKUP_HOURS: "48" })).status).toBe(0);
    expect((await run(temporaryDirectory(), ["check"])).status).toBe(1);
  });

  test("a backup that fails leaves no file with a backup's name", async () => {
    const directory = temporaryDirectory();
    const failed = await run(directory, [], { DATABASE_URL: server.urlOf("missing") });
    expect([failed.status, failed.stderr]).toEqual([1, expect.stringContaining('database "missing" does not exist')]);
    expect((await run(directory, ["list"])).stdout).toBe("");
  });

  test("restore makes the database as it was, several times", async () => {
    const { directory, name } = await makeBackup();
    for (const _ of [1, 2]) {
      await sql`insert into notes (text) values ('after the backup')`;
      await sql`create table if not exists later (id bigint)`;
      const restored = await run(directory, ["restore", name]);
      expect(restored).toEqual({ status: 0, stdout: `Restored ${name}\n`, stderr: expect.any(String) });
      expect(await texts()).toEqual(["kept"]);
      expect(await sql`select 1 from pg_tables where tablename = 'later'`).toHaveLength(0);
    }
    // The restored database can be backed up and restored again.
    const again = await makeBackup();
    expect(await run(again.directory, ["restore", again.name])).toMatchObject({ status: 0 });
    expect(await texts()).toEqual(["kept"]);
  });

  test("a damaged or missing backup changes nothing", async () => {
    const { directory, name } = await makeBackup();
    const bytes = readFileSync(join(directory, name));
    writeFileSync(join(directory, "commonplace-truncated.dump"), bytes.subarray(0, bytes.length - 20));
    writeFileSync(join(directory, "commonplace-text.dump"), "not a backup");
    for (const damaged of ["commonplace-truncated.dump", "commonplace-text.dump", "missing.dump"]) {
      const { status, stdout } = await run(directory, ["restore", damaged]);
      expect([damaged, status, stdout]).toEqual([damaged, expect.any(Number), ""]);
      expect(status).not.toBe(0);
      expect(await texts()).toEqual(["kept"]);
    }
  });

  test("schedule creates a backup at once, and ends with status 0 on SIGTERM", async () => {
    const directory = temporaryDirectory();
    const child = Bun.spawn(["sh", script, "schedule"], {
      env: environment(directory),
      stdout: "pipe",
      stderr: "inherit",
    });
    const { value } = await child.stdout.getReader().read();
    expect(new TextDecoder().decode(value)).toStartWith("Created commonplace-");
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    expect(readdirSync(directory)).toHaveLength(1);
  });
});
