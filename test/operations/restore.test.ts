// ./commonplace restore: only a complete backup, and only into an empty target.
import { Database } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { appendTrailer } from "../../src/operations/backup/checksum-trailer.ts";
import { schemaVersion } from "../../src/platform/database/migrate.ts";
import type { ColumnTypes } from "../../src/platform/database/migration.ts";
import { migrations } from "../../src/platform/database/migrations/index.ts";
import { makeLargeDatabase, namesIn } from "../support/backup.ts";
import { engine } from "../support/engine.ts";
import { expectFailure, makeWorkspace, run, runJson, serve } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

/** The last line of a backup: a line break, the words, 64 digits, a line break. */
const lastLineBytes = 95;

const sqliteTypes: ColumnTypes = {
  uuid: "text",
  timestamp: "text",
  boolean: "integer",
  bigint: "integer",
  orderedText: "text",
  tableEnd: "strict",
  clusteredTableEnd: "strict, without rowid",
  isShared: false,
};

describe.skipIf(engine.name !== "sqlite")("a restore", () => {
  let live = "";
  let good = "";
  let bytes: Buffer;
  beforeAll(async () => {
    live = (await makeLargeDatabase(3)).dataDirectory;
    good = join(temporaryDirectory(), "good.db");
    await runJson(["backup", "--to", good, "--data", live]);
    bytes = readFileSync(good);
  });

  const write = (content: Uint8Array | string): string => {
    const path = join(temporaryDirectory(), "backup.db");
    writeFileSync(path, content);
    return path;
  };
  const flipped = (at: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };
  /** A changed copy of the backup, with a last line that matches it. */
  const withTrailer = (change: (path: string) => void): string => {
    const path = write(bytes.subarray(0, -lastLineBytes));
    change(path);
    appendTrailer(path, () => undefined);
    return path;
  };
  const statement = (text: string) => (path: string) => {
    const connection = new Database(path);
    connection.run(text);
    connection.close();
  };

  const cutOff = "is incomplete, or was not created by ./commonplace backup: its last line, the checksum, is missing";
  const mismatch = "is damaged: its content does not match its checksum";
  const cases: Record<string, [() => string, string | RegExp]> = {
    "cut off in the middle": [() => write(bytes.subarray(0, bytes.length / 2)), cutOff],
    "cut off at the end of a page": [() => write(bytes.subarray(0, 4096 * 20)), cutOff],
    "without its last byte": [() => write(bytes.subarray(0, -1)), cutOff],
    "without its first page": [() => write(bytes.subarray(4096)), "is not a Commonplace backup"],
    "with a page missing in the middle": [
      () => write(Buffer.concat([bytes.subarray(0, 4096 * 50), bytes.subarray(4096 * 51)])),
      mismatch,
    ],
    "with a bit flipped within a text": [() => write(flipped(bytes.indexOf("Made for a test") + 3)), mismatch],
    "with a bit flipped in the middle": [() => write(flipped(bytes.length >> 1)), mismatch],
    "with a bit flipped in its checksum": [() => write(flipped(bytes.length - 10)), /is damaged|is incomplete/],
    "with something appended": [
      () => {
        const path = write(bytes);
        appendFileSync(path, "x");
        return path;
      },
      cutOff,
    ],
    "random bytes": [() => write(crypto.getRandomValues(new Uint8Array(60_000))), "is not a Commonplace backup"],
    "a text": [() => write("Not a database\n"), "is not a Commonplace backup"],
    empty: [() => write(""), "is empty"],
    "a directory": [() => temporaryDirectory(), "is not a file"],
    "the file of a running service, copied": [
      () => {
        const path = write("");
        copyFileSync(join(live, "commonplace.db"), path);
        return path;
      },
      cutOff,
    ],
    "another program's database": [
      () => withTrailer(statement("drop table snippets")),
      "is a database, but not a Commonplace database",
    ],
    "of a newer version": [
      () => withTrailer(statement("insert into schema_migrations values (99, 'later', '2030-01-01T00:00:00.000Z')")),
      `has schema version 99, but this program supports up to ${schemaVersion}. Use a newer version of Commonplace`,
    ],
    "with a row that refers to nothing": [
      () => withTrailer(statement("insert into snippet_tags values ('w', 's', 't', '2030-01-01T00:00:00.000Z')")),
      "is damaged: a row in snippet_tags refers to a missing row in tags",
    ],
    "with a damaged page and the right checksum": [
      () =>
        withTrailer((path) => {
          const connection = new Database(path, { readonly: true });
          const found = connection.query("select rootpage from sqlite_schema where name = 'snippets_by_folder'").get();
          connection.close();
          const at = (Number(Object.values(found ?? {})[0]) - 1) * 4096;
          writeFileSync(path, readFileSync(path).fill(0xff, at, at + 4096));
        }),
      /is damaged: /,
    ],
  };

  test.each(Object.keys(cases))("of a file that is %s: one line, and nothing left behind", async (name) => {
    const [make, complaint] = cases[name] ?? [() => "", ""];
    const from = make();
    const parent = temporaryDirectory();
    const outcome = await run(["restore", "--from", from, "--data", join(parent, "new/data")]);
    if (typeof complaint === "string") expectFailure(outcome, 1, `${from} ${complaint}`);
    else expect(outcome).toEqual({ status: 1, stdout: "", stderr: expect.stringMatching(complaint) });
    expect(outcome.stderr).toMatch(/^commonplace: [^\n]+\n$/);
    expect(namesIn(parent)).toEqual([]);
  });

  test("of a file that is not there", async () => {
    const from = join(temporaryDirectory(), "missing.db");
    expectFailure(
      await run(["restore", "--from", from, "--data", temporaryDirectory()]),
      1,
      `the file ${from} does not exist`,
    );
  });

  test("over live data is refused, whether the service runs or not, and changes nothing", async () => {
    const dataDirectory = temporaryDirectory();
    const words = ["restore", "--from", good, "--data", dataDirectory];
    const path = join(dataDirectory, "commonplace.db");
    const line = (found: string) =>
      `${found} already exists. A restore never overwrites data: move the existing file, or use --data DIR`;
    await using service = await serve({ COMMONPLACE_DATA_DIRECTORY: dataDirectory, COMMONPLACE_LOG_LEVEL: "off" }, [
      "--json",
    ]);
    expectFailure(await run(words), 1, line(path));
    const { key = "", team_id } = service.first;
    const tag = { tagName: "Still here", tagColor: "#fff", teamId: team_id };
    expect((await service.call("POST", "/tag", key, tag)).status).toBe(200);
    service.kill("SIGTERM");
    await service.exited;

    const before = readFileSync(path);
    expectFailure(await run(words), 1, line(path));
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("into a directory with anything else in it is refused; what a volume brings along does not count", async () => {
    const words = (directory: string) => ["restore", "--from", good, "--data", directory];
    const [other, log] = [temporaryDirectory(), temporaryDirectory()];
    writeFileSync(join(other, "notes.txt"), "Mine");
    // A write-ahead log of another database would be applied to the restored one.
    writeFileSync(join(log, "commonplace.db-wal"), "Frames");
    const [refused, refusedToo] = await Promise.all([run(words(other)), run(words(log))]);
    expectFailure(
      refused,
      1,
      `the data directory ${other} is not empty: it contains notes.txt. Use --data DIR with an empty one`,
    );
    expectFailure(
      refusedToo,
      1,
      `${join(log, "commonplace.db-wal")} already exists. A restore never overwrites data: move the existing file, or use --data DIR`,
    );
    expect([namesIn(other), namesIn(log)]).toEqual([["notes.txt"], ["commonplace.db-wal"]]);

    const volume = temporaryDirectory();
    mkdirSync(join(volume, "lost+found"));
    writeFileSync(join(volume, ".commonplace-4194999.partial"), "Half of it, of a restore that was killed");
    await runJson(words(volume));
    expect(namesIn(volume)).toEqual(["commonplace.db", "lost+found"]);
  });

  test("into the place that COMMONPLACE_DATABASE_URL names", async () => {
    const [data, place] = [temporaryDirectory(), temporaryDirectory()];
    writeFileSync(join(place, "neighbour.db"), "Somebody else's");
    const path = join(place, "mine.db");
    const settings = { COMMONPLACE_DATA_DIRECTORY: data, COMMONPLACE_DATABASE_URL: `sqlite:${path}` };
    expect((await runJson(["restore", "--from", good], settings)).path).toBe(path);
    expect([namesIn(data), namesIn(place)]).toEqual([[], ["mine.db", "neighbour.db"]]);
    const listed = await runJson(["workspace", "list"], settings);
    expect(listed).toHaveLength(31);
  });

  test("tells people what is in it and what to do next; the backup stays as it was", async () => {
    const dataDirectory = temporaryDirectory();
    await makeWorkspace({ COMMONPLACE_DATA_DIRECTORY: dataDirectory });
    const from = join(temporaryDirectory(), "backup.db");
    const made = await runJson(["backup", "--to", from, "--data", dataDirectory]);
    const target = join(temporaryDirectory(), "data");
    const { status, stdout, stderr } = await run(["restore", "--from", from, "--data", target]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(
      new RegExp(
        `^database        ${target}/commonplace.db\nsize            \\d+ KB\ntook            [\\d.]+ s\nschema          ${schemaVersion}\n` +
          `workspaces      1\nsnippets        0\nnewest request  none\nsha256          ${made.sha256}\n\n` +
          "Next: start the service with ./commonplace serve\n$",
      ),
    );
    expect(statSync(from).size).toBe(made.bytes);
    // A backup of the restored database has the same content.
    const again = join(temporaryDirectory(), "again.db");
    expect(await runJson(["backup", "--to", again, "--data", target])).toMatchObject({ rows: made.rows });
  });

  test("of an older schema is taken, and the next start brings it up to date", async () => {
    const path = join(temporaryDirectory(), "old.db");
    const connection = new Database(path, { create: true });
    connection.run("create table schema_migrations (version integer primary key, name text, applied_at text) strict");
    connection.run("insert into schema_migrations values (1, 'first', '2026-01-01T00:00:00.000Z')");
    for (const text of migrations[0]?.statements(sqliteTypes) ?? []) connection.run(text);
    connection.close();
    appendTrailer(path, () => undefined);
    const target = join(temporaryDirectory(), "data");
    expect(await runJson(["restore", "--from", path, "--data", target])).toMatchObject({ schema_version: 1 });
    await runJson(["workspace", "list", "--data", target]);
    const [row] = await engine.rowsOf(target)<{ version: number }>(
      "select max(version) as version from schema_migrations",
    );
    expect(row?.version).toBe(schemaVersion);
  });
});
