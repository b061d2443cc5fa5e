// ./commonplace doctor: checks of one engine only.

import { Database as SqliteConnection } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSchema } from "../../src/platform/database/schema.ts";
import {
  change,
  closeFiles,
  complaints,
  emptyDirectory,
  emptyInstance,
  examine,
  findingOf,
  isSqlite,
  makeInstances,
} from "../support/doctor.ts";
import { databaseSettings } from "../support/engine.ts";
import { fillInstance } from "../support/filled.ts";
import { freePort } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

beforeAll(makeInstances);

describe("SQLite", () => {
  if (!isSqlite) return;
  const pathOf = (directory: string) => join(directory, "commonplace.db");

  test("a file that is no database, one that is damaged, one that is empty", async () => {
    const directory = await emptyInstance();
    const path = pathOf(directory);
    const bytes = readFileSync(path);
    writeFileSync(
      path,
      Buffer.concat([bytes.subarray(0, 5 * 4096), Buffer.alloc(3 * 4096, 7), bytes.subarray(8 * 4096)]),
    );
    expect(findingOf(await examine(directory), "integrity")).toMatchObject({ severity: "problem" });
    writeFileSync(path, "no database, but a text that is long enough to be taken for one".repeat(100));
    const findings = await examine(directory);
    expect(complaints(findings)).toEqual([
      ["database", "problem", `cannot read the database ${path}: file is not a database`],
    ]);
    expect(findings.at(-1)?.check).toBe("database");
    writeFileSync(path, "");
    expect(complaints(await examine(directory))).toEqual([]);
  });

  test("an index that lacks a row, and a row that refers to nothing", async () => {
    const directory = temporaryDirectory();
    const { tag } = await fillInstance(directory);
    closeFiles(directory);
    const connection = new SqliteConnection(pathOf(directory));
    connection.run("pragma foreign_keys = off");
    connection.run(`delete from tags where id = '${tag.id}'`);
    const [index] = connection
      .query<{ rootpage: number }, []>("select rootpage from sqlite_schema where name = 'snippets_by_folder'")
      .all();
    connection.close();
    const bytes = readFileSync(pathOf(directory));
    // The number of entries on the index's only page.
    bytes.writeUInt16BE(0, ((index?.rootpage ?? 0) - 1) * 4096 + 3);
    writeFileSync(pathOf(directory), bytes);
    const findings = await examine(directory);
    expect(complaints(findings)).toEqual([
      ["integrity", "problem", expect.stringContaining("snippets_by_folder")],
      ["references", "problem", "dangling references: 1 from snippet_tags to tags, 1 from tags to tags"],
      ["storage", "problem", expect.stringMatching(/^1 violation: off by \d+ bytes/)],
      ["tag nesting", "problem", expect.stringMatching(/^1 violation: /)],
    ]);
  });

  test("a log that is not taken in", async () => {
    const directory = await emptyInstance();
    const log = `${pathOf(directory)}-wal`;
    writeFileSync(log, "", { mode: 0o600 });
    truncateSync(log, 600 * 1024 * 1024);
    expect(complaints(await examine(directory))).toEqual([
      ["write-ahead log", "warning", "629 MB waiting to be merged into the database"],
    ]);
  });
});

describe("PostgreSQL", () => {
  if (isSqlite) return;
  test("a server that does not answer, and a database that is not there", async () => {
    const unreachable = { COMMONPLACE_DATABASE_URL: `postgres://u:hidden@127.0.0.1:${freePort()}/n` };
    const findings = await examine(emptyDirectory, unreachable);
    expect(complaints(findings)).toEqual([["database", "problem", expect.stringMatching(/^n at 127\.0\.0\.1:\d+: /)]]);
    expect(JSON.stringify(findings)).not.toContain("hidden");
    const { COMMONPLACE_DATABASE_URL: url = "" } = await databaseSettings(emptyDirectory);
    const missing = { COMMONPLACE_DATABASE_URL: Object.assign(new URL(url), { pathname: "/missing" }).href };
    expect(complaints(await examine(emptyDirectory, missing))).toEqual([
      ["database", "problem", expect.stringContaining('database "missing" does not exist')],
    ]);
  });

  test.each([
    ["synchronous_commit = off", "durability", "problem", "turned off: synchronous_commit"],
    ["default_transaction_read_only = on", "write access", "problem", "default_transaction_read_only is on"],
  ])("%s", async (setting, check, severity, message) => {
    const directory = await emptyInstance();
    await change(
      directory,
      `do $$ begin execute format('alter database %I set ${setting}', current_database()); end $$`,
    );
    expect(complaints(await examine(directory))).toEqual([[check, severity, message]]);
  });

  test("a connection over a network that is not encrypted", async () => {
    const { COMMONPLACE_DATABASE_URL: url = "" } = await databaseSettings(emptyDirectory);
    // An address of this machine that does not look local.
    const settings = { COMMONPLACE_DATABASE_URL: Object.assign(new URL(url), { hostname: "0.0.0.0" }).href };
    expect(complaints(await examine(emptyDirectory, settings))).toEqual([
      ["encryption", "warning", "the connection to 0.0.0.0 is not encrypted"],
    ]);
  });

  test("more connections than there are", async () => {
    const settings = { COMMONPLACE_DATABASE_CONNECTIONS: "1000" };
    expect(complaints(await examine(emptyDirectory, settings))).toEqual([
      ["connections", "warning", expect.stringMatching(/^\d+ of \d+ in use; a node opens up to 1000$/)],
    ]);
  });

  test("an index and a rule that are not in force", async () => {
    const directory = await emptyInstance();
    await change(
      directory,
      "update pg_index set indisvalid = false where indexrelid = 'ledger_by_key'::regclass",
      "alter table workspaces add constraint later check (name <> 'x') not valid",
    );
    expect(complaints(await examine(directory))).toEqual([["indexes", "problem", "invalid: later, ledger_by_key"]]);
  });

  test("a role that may not do its work", async () => {
    const directory = await emptyInstance();
    const role = `doctor_${crypto.randomUUID().replaceAll("-", "")}`;
    await change(directory, `create role ${role} login password 'hidden'`);
    const { COMMONPLACE_DATABASE_URL: url = "" } = await databaseSettings(directory);
    const settings = {
      COMMONPLACE_DATABASE_URL: Object.assign(new URL(url), { username: role, password: "hidden" }).href,
    };
    const look = async () => findingOf(await examine(directory, settings), "privileges");
    // The schema's own list of migrations is one of them, and three are named.
    const more = readSchema().length + 1 - 3;
    expect(await look()).toMatchObject({
      severity: "problem",
      message: `the role ${role} lacks read or write privileges on access_tokens, alert_recipients, alert_settings and ${more} more`,
    });
    await change(directory, `grant select, insert, update, delete on all tables in schema public to ${role}`);
    expect(await look()).toMatchObject({
      severity: "problem",
      message: `the role ${role} cannot create tables in the schema public`,
    });
    await change(directory, `grant create on schema public to ${role}`);
    expect(await look()).toMatchObject({
      severity: "warning",
      message: expect.stringContaining("so it cannot migrate"),
    });
    await change(directory, `drop owned by ${role}`, `drop role ${role}`);
  });

  test("another encoding", async () => {
    const { COMMONPLACE_DATABASE_URL: url = "" } = await databaseSettings(emptyDirectory);
    const name = `${new URL(url).pathname.slice(1)}_ascii`;
    await change(
      emptyDirectory,
      `create database ${name} template template0 encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'`,
    );
    const settings = { COMMONPLACE_DATABASE_URL: Object.assign(new URL(url), { pathname: `/${name}` }).href };
    expect(complaints(await examine(emptyDirectory, settings))).toEqual([
      ["encoding", "problem", "the encoding is SQL_ASCII, but must be UTF8"],
    ]);
    // Skipped on a server that ends with the run: a drop waits for a checkpoint of everything.
    if (!process.env.TEST_DATABASE_DISPOSABLE) await change(emptyDirectory, `drop database ${name} with (force)`);
  });

  test("a clock that is wrong", async () => {
    const right = Date.now;
    Date.now = () => right() + 90_000;
    try {
      expect(complaints(await examine(emptyDirectory))).toEqual([
        ["clocks", "warning", expect.stringMatching(/^this machine is ahead by (89|90)\d{3} ms$/)],
      ]);
    } finally {
      Date.now = right;
    }
  });
});
