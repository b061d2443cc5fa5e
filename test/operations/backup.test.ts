// ./commonplace backup: a copy of a running service's database during writes, either complete or absent.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeBackup } from "../../src/operations/backup/backup.ts";
import { schemaVersion } from "../../src/platform/database/migrate.ts";
import { Interrupted } from "../../src/platform/operator-error.ts";
import {
  expectRestored,
  makeLargeDatabase,
  mountSmallDisk,
  namesIn,
  sha256Of,
  startWriting,
} from "../support/backup.ts";
import { engine } from "../support/engine.ts";
import { spawnService } from "../support/process.ts";
import { environment, expectFailure, makeWorkspace, program, run, runJson } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

describe.skipIf(engine.name !== "sqlite")("a backup", () => {
  test("of a service under load: each restores to a whole database with all that was acknowledged before", async () => {
    const dataDirectory = temporaryDirectory();
    const settings = { COMMONPLACE_LOG_LEVEL: "off", COMMONPLACE_MONTHLY_REQUESTS: "1000000000" };
    const service = await spawnService(dataDirectory, settings);
    const { workspace_id = "", team_id = "", key = "" } = service.announced;
    const backups = temporaryDirectory();
    const load = startWriting(service.clientFor(key), team_id, 8);
    const made = [];
    for (const name of ["first.db", "second.db", "third.db"]) {
      const before = [...load.acknowledged];
      const path = join(backups, name);
      const result = await runJson(["backup", "--to", path], { COMMONPLACE_DATA_DIRECTORY: dataDirectory });
      // Calls were answered while the copy was made.
      expect(load.acknowledged.length).toBeGreaterThan(before.length);
      made.push({ path, result, before });
    }
    await load.end();
    service.kill("SIGTERM");
    expect(await service.ended).toBe(0);
    expect(load.failures).toEqual([]);
    expect(namesIn(backups)).toEqual(["first.db", "second.db", "third.db"]);

    for (const { path, result, before } of made) {
      const restored = join(temporaryDirectory(), "data");
      const { milliseconds, encryption, ...told } = result;
      expect(encryption).toBeNull();
      const { mode, size } = statSync(path);
      expect(told).toMatchObject({ path, bytes: size, sha256: sha256Of(path), schema_version: schemaVersion });
      expect(milliseconds).toBeGreaterThan(0);
      expect(mode & 0o777).toBe(0o600);

      const back = await runJson(["restore", "--from", path, "--data", restored]);
      expect(back).toEqual({ ...told, path: join(restored, "commonplace.db"), milliseconds: expect.any(Number) });
      expect(namesIn(restored)).toEqual(["commonplace.db"]);
      expect(statSync(restored).mode & 0o777).toBe(0o700);
      expect(statSync(join(restored, "commonplace.db")).mode & 0o777).toBe(0o600);
      await expectRestored(restored, workspace_id, before);
      const counts = await engine.rowsOf(restored)<{ snippets: number; ledger: number }>(
        "select (select count(*) from snippets) as snippets, (select count(*) from ledger) as ledger",
      );
      expect(told.rows).toMatchObject({ workspaces: 1, ...counts[0] });
    }

    // A service runs on the last one: the key is accepted, reads return what was written, and writes work.
    const last = join(temporaryDirectory(), "data");
    await runJson(["restore", "--from", join(backups, "third.db"), "--data", last]);
    const again = await spawnService(last, settings);
    expect(again.announced.key).toBeUndefined();
    const client = again.clientFor(key);
    const known = made.at(-1)?.before.at(-1);
    expect((await client.getSnippet({ id: known?.id ?? "" })).data.title).toBe(known?.title ?? "");
    await client.postTag({ tagName: "After", tagColor: "#fff", teamId: team_id });
    again.kill("SIGTERM");
    expect(await again.ended).toBe(0);
  }, 60_000);

  test("of a service that does not run, with what a kill left in the write-ahead log", async () => {
    const dataDirectory = temporaryDirectory();
    const service = await spawnService(dataDirectory, { COMMONPLACE_LOG_LEVEL: "off" });
    const { workspace_id = "", team_id = "", key = "" } = service.announced;
    const load = startWriting(service.clientFor(key), team_id, 1);
    while (load.acknowledged.length < 5) await Bun.sleep(1);
    service.kill("SIGKILL");
    await service.ended;
    const acknowledged = [...load.acknowledged];
    void load.end();
    const restored = join(temporaryDirectory(), "data");
    const path = join(temporaryDirectory(), "backup.db");
    const made = await runJson(["backup", "--to", path, "--data", dataDirectory]);
    await runJson(["restore", "--from", path, "--data", restored]);
    await expectRestored(restored, workspace_id, acknowledged);
    const [newest] = await engine.rowsOf(restored)<{ at: string }>("select max(admitted_at) as at from ledger");
    expect(made.newest_call).toBe(newest?.at);
  });

  test("tells people what is in it, and is opened by SQLite as it is", async () => {
    const dataDirectory = temporaryDirectory();
    await makeWorkspace({ COMMONPLACE_DATA_DIRECTORY: dataDirectory });
    const path = join(temporaryDirectory(), "backup.db");
    const { status, stdout, stderr } = await run(["backup", "--to", path, "--data", dataDirectory]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(
      new RegExp(
        `^backup          ${path}\nsize            \\d+ KB\ntook            [\\d.]+ s\nschema          ${schemaVersion}\n` +
          `workspaces      1\nsnippets        0\nnewest request  none\nsha256          ${sha256Of(path)}\n` +
          "\nThe backup is not encrypted.\n\nNot in the backup: the instance key, COMMONPLACE_INSTANCE_KEY\n$",
      ),
    );
    const connection = new Database(path, { readonly: true });
    expect(connection.query("select name from workspaces").all()).toEqual([{ name: "Made for a test" }]);
    expect(connection.query("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    connection.close();
    expect(namesIn(join(path, ".."))).toEqual(["backup.db"]);
  });

  test("never replaces a file, and wants a directory that exists and a database", async () => {
    const dataDirectory = temporaryDirectory();
    await makeWorkspace({ COMMONPLACE_DATA_DIRECTORY: dataDirectory });
    const directory = temporaryDirectory();
    const path = join(directory, "backup.db");
    writeFileSync(path, "Something else");
    const to = (file: string, data = dataDirectory) => run(["backup", "--to", file, "--data", data]);
    const [existing, itself, nowhere, nothing] = await Promise.all([
      to(path),
      to(directory),
      to(join(directory, "missing/backup.db")),
      to(join(directory, "new.db"), join(directory, "data")),
    ]);
    expectFailure(existing, 1, `${path} already exists and was not overwritten`);
    expectFailure(itself, 1, `${directory} already exists and was not overwritten`);
    expectFailure(nowhere, 1, `the directory ${join(directory, "missing")} does not exist`);
    const missing = join(directory, "data/commonplace.db");
    expectFailure(nothing, 1, `no database at ${missing} yet. Start the service first, or use --data DIR`);
    expect(readFileSync(path, "utf8")).toBe("Something else");
    expect(namesIn(directory)).toEqual(["backup.db"]);
  });

  test("of two that are made at once under one name, one is there and the other is refused", async () => {
    const { dataDirectory } = await makeLargeDatabase(5);
    const path = join(temporaryDirectory(), "backup.db");
    const words = ["backup", "--to", path, "--data", dataDirectory];
    const outcomes = await Promise.all([run(words), run(words)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([0, 1]);
    const refused = outcomes.find(({ status }) => status === 1) ?? { status: 0, stdout: "", stderr: "" };
    expectFailure(refused, 1, `${path} already exists and was not overwritten`);
    expect(namesIn(join(path, ".."))).toEqual(["backup.db"]);
  });

  test("of a damaged database, of another program's, and of a newer version is refused", async () => {
    const { dataDirectory } = await makeLargeDatabase(2);
    const good = join(dataDirectory, "commonplace.db");
    const bytes = readFileSync(good);
    const variant = (change: (path: string) => void) => {
      const directory = temporaryDirectory();
      copyFileSync(good, join(directory, "commonplace.db"));
      change(join(directory, "commonplace.db"));
      return directory;
    };
    const execute = (statement: string) => (path: string) => {
      const connection = new Database(path);
      connection.run(statement);
      connection.close();
    };
    const damaged = variant((path) => {
      // The root page of an index that no count reads.
      const connection = new Database(path, { readonly: true });
      const page = connection.query("select rootpage from sqlite_schema where name = 'snippets_by_folder'").get();
      connection.close();
      const at = (Number(Object.values(page ?? {})[0]) - 1) * 4096;
      writeFileSync(path, Buffer.from(bytes).fill(0xff, at, at + 4096));
    });
    const foreign = variant(execute("drop table snippets"));
    const newer = variant(execute("insert into schema_migrations values (99, 'later', '2030-01-01T00:00:00.000Z')"));
    const orphaned = variant(execute("insert into snippet_tags values ('w', 's', 't', '2030-01-01T00:00:00.000Z')"));
    const directory = temporaryDirectory();
    const attempt = async (data: string) => ({
      path: join(data, "commonplace.db"),
      outcome: await run(["backup", "--to", join(directory, "backup.db"), "--data", data]),
    });
    for (const [data, complaint] of [
      [damaged, "is damaged: "],
      [foreign, "is a database, but not a Commonplace database"],
      [
        newer,
        `has schema version 99, but this program supports up to ${schemaVersion}. Use a newer version of Commonplace`,
      ],
      [orphaned, "is damaged: a row in snippet_tags refers to a missing row in tags"],
    ] as const) {
      const { path, outcome } = await attempt(data);
      expect(outcome).toEqual({ status: 1, stdout: "", stderr: expect.stringContaining(`${path} ${complaint}`) });
      expect(outcome.stderr).toMatch(/^commonplace: [^\n]+\n$/);
      expect(namesIn(directory)).toEqual([]);
    }
  });

  test("that is killed at any moment leaves no file of its name; the next clears up and is whole", async () => {
    const { dataDirectory } = await makeLargeDatabase(40);
    const directory = temporaryDirectory();
    const path = join(directory, "backup.db");
    const env = await environment({ COMMONPLACE_DATA_DIRECTORY: dataDirectory });
    let kills = 0;
    for (let round = 0; round < 4; round += 1) {
      const child = Bun.spawn([...program, "backup", "--to", path], {
        env,
        stdout: "ignore",
        stderr: "ignore",
      });
      const partial = join(directory, `.commonplace-${child.pid}.partial`);
      const bytes = () => statSync(partial, { throwIfNoEntry: false })?.size ?? 0;
      const isOver = () => child.exitCode !== null;
      // At a random time between the first byte and the last.
      const enough = Math.random() * 40_000_000;
      while (bytes() < enough && !isOver()) await Bun.sleep(1);
      child.kill("SIGKILL");
      await child.exited;
      if (child.signalCode === "SIGKILL") kills += 1;
      else continue;
      // The killed process's worker ends by itself.
      while (existsSync(partial)) await Bun.sleep(1);
      expect(namesIn(directory)).toEqual([]);
    }
    expect(kills).toBeGreaterThan(0);

    // Temporary files of killed processes, of a running one, and of one that ended days ago.
    const abandoned = [".commonplace-4194999.partial", ".commonplace-4194999.partial-journal"];
    const running = `.commonplace-${process.pid}.partial`;
    const old = ".commonplace-1.partial";
    for (const name of [...abandoned, running, old]) writeFileSync(join(directory, name), "Half of it");
    utimesSync(join(directory, old), 1_700_000_000, 1_700_000_000);
    await runJson(["backup", "--to", path, "--data", dataDirectory]);
    expect(namesIn(directory)).toEqual([running, "backup.db"]);
    await runJson(["restore", "--from", path, "--data", join(temporaryDirectory(), "data")]);
  }, 60_000);

  test.each(["Copying", "Adding checksum", "Verifying"])(
    "that is called off while %s leaves nothing behind",
    async (phase) => {
      const { dataDirectory } = await makeLargeDatabase(20);
      const directory = temporaryDirectory();
      const interruption = new AbortController();
      const made = makeBackup(join(dataDirectory, "commonplace.db"), join(directory, "backup.db"), {
        signal: interruption.signal,
        onStep: (step) => step.phase === phase && interruption.abort(),
      });
      const ended: unknown = await made.catch((error: unknown) => error);
      expect(ended).toBeInstanceOf(Interrupted);
      expect(String(ended)).toEndWith("interrupted. No files were left behind");
      expect(namesIn(directory)).toEqual([]);
    },
  );

  test("on a disk that is full: one line, and no half file", async () => {
    const small = mountSmallDisk(8);
    if (!small) return console.log("backup.test.ts: the full disk is skipped, as this user may not mount one");
    try {
      const { dataDirectory } = await makeLargeDatabase(20);
      const outcome = await run(["backup", "--to", join(small.path, "backup.db"), "--data", dataDirectory]);
      expectFailure(outcome, 1, "the copy failed: database or disk is full");
      expect(namesIn(small.path)).toEqual([]);
    } finally {
      small.unmount();
    }
  });

  test("shows on a terminal how far it is, in lines that fit", async () => {
    const { dataDirectory } = await makeLargeDatabase(40);
    for (const columns of [80, 40]) {
      const path = join(temporaryDirectory(), "backup.db");
      const drawn = await onTerminal(["backup", "--to", path, "--data", dataDirectory], columns, { NO_COLOR: "1" });
      const bars = drawn.split("\r\u001b[K").filter((line) => line.includes("%"));
      expect(bars.length).toBeGreaterThan(1);
      for (const bar of bars) {
        expect(bar).toMatch(/^(Copying|Adding checksum) {2}#*-* {2,5}\d+%/);
        expect(bar.length).toBeLessThan(columns);
      }
      expect(drawn).toContain(`\r\u001b[Kbackup          ${path}\r\n`);
    }
  });

  test("of PostgreSQL is refused with the way to go, and so is a restore", async () => {
    const settings = { COMMONPLACE_DATABASE_URL: "postgres://nobody:secret@127.0.0.1:1/none" };
    const [backup, restore] = await Promise.all([
      run(["backup", "--to", "x"], settings),
      run(["restore", "--from", "x"], settings),
    ]);
    expectFailure(
      backup,
      1,
      "this command is for SQLite. PostgreSQL is backed up with pg_dump: see /docs/operate/backup on the service",
    );
    expectFailure(
      restore,
      1,
      "this command is for SQLite. PostgreSQL is restored with pg_restore: see /docs/operate/backup on the service",
    );
  });
});

/** What the command prints on a terminal of that width. */
async function onTerminal(words: readonly string[], cols: number, settings: Record<string, string>): Promise<string> {
  const chunks: Uint8Array[] = [];
  const child = Bun.spawn([...program, ...words], {
    env: { PATH: process.env.PATH ?? "", ...settings },
    terminal: { cols, rows: 24, data: (_, bytes) => void chunks.push(bytes.slice()) },
  });
  await child.exited;
  return Buffer.concat(chunks).toString();
}
