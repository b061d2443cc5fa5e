// ./commonplace database copy: errors are detected, and a partial copy is never served.
import { Database as SqliteConnection } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "../../src/platform/database/inspect.ts";
import type { DatabaseLocation } from "../../src/platform/database/location.ts";
import { openDatabase } from "../../src/platform/database/open.ts";
import { RowDigest, readChunks } from "../../src/platform/database/table-reader.ts";
import {
  copy,
  filledDirectory,
  formatLocation,
  makeSource,
  newTarget,
  source,
  sqliteTarget,
  tables,
  withConnection,
} from "../support/database-copy.ts";
import { engine, openNode, urlWithoutCredentials } from "../support/engine.ts";
import { environment, expectFailure, program, run, runRefused } from "../support/program.ts";
import { startService, temporaryDirectory } from "../support/service.ts";

beforeAll(makeSource);

const incomplete = "The target is incomplete, and the service will not start on it. Delete it";

test("what the target's own rules forbid is said with its table: a damaged source", async () => {
  const damaged = sqliteTarget();
  await copy(source, damaged);
  const connection = new SqliteConnection(damaged.engine === "sqlite" ? damaged.path : "");
  connection.run("pragma foreign_keys = off");
  connection.run("delete from tags where parent_tag_id is null");
  connection.close();
  const target = await newTarget();
  await expect(copy(damaged, target.location)).rejects.toThrow(
    /^the target rejected a row of tags \(.*foreign key.*\)\. .*doctor/i,
  );
  await expectHalf(target);
});

describe("the comparison at the end", () => {
  const undisturbed = () => ({ directory: filledDirectory, location: source });

  /** Changes the databases when everything is written and nothing is compared yet. */
  async function copyDisturbed(disturbed: "source" | "target", statement: string) {
    const [from, to] = [disturbed === "source" ? await newTarget() : undisturbed(), await newTarget()];
    if (disturbed === "source") await copy(source, from.location);
    let changed: number | undefined;
    const failure = await copy(from.location, to.location, async ({ phase, table }) => {
      // Everything but the last table is written by now.
      if (phase !== "Copying" || table !== tables.at(-1)?.name || changed !== undefined) return;
      const { directory } = disturbed === "source" ? from : to;
      changed = await withConnection(directory, ({ run: change }) => change(statement));
    }).catch((error: unknown) => error);
    expect(changed).toBe(1);
    return { to, message: failure instanceof Error ? failure.message : "" };
  }

  test.each([
    ["one character", "update snippets set title = 'PLain' where title = 'Plain'", "snippets (different content)"],
    ["a null", "update snippets set shortcut = '' where title = 'Plain'", "snippets (different content)"],
    [
      "a millisecond",
      "update teams set created_at = '2026-01-15T10:00:00.001Z' where name = 'Own team'",
      "teams (different content)",
    ],
    [
      "a boolean",
      "update snippets set is_archived = not is_archived where title = 'Plain'",
      "snippets (different content)",
    ],
    [
      "a row too few",
      "delete from api_key_teams where key_id = (select id from api_keys where name = 'One team')",
      "api_key_teams (2 rows copied, 1 found)",
    ],
  ])("notices that %s differs in the target", async (_, statement, found) => {
    const { to, message } = await copyDisturbed("target", statement);
    expect(message).toBe(`the source and the target differ: ${found}. ${incomplete}`);
    await expectHalf(to);
  });

  test("notices what was written to the source meanwhile", async () => {
    const { to, message } = await copyDisturbed(
      "source",
      "update workspaces set name = 'Later' where name = 'Another'",
    );
    expect(message).toStartWith("the source changed during the copy. Stop the service first.");
    expect(message).toEndWith(incomplete);
    await expectHalf(to);
  });
});

/** Fails unless every service, command and further copy refuses it as incomplete. */
async function expectHalf({ directory, location }: { directory: string; location: DatabaseLocation }) {
  const half = "the database contains an unfinished copy. Empty it and copy again";
  await expect(openNode(directory)).rejects.toThrow(half);
  await expect(copy(source, location)).rejects.toThrow(
    "the target contains an unfinished copy. Empty it and copy again",
  );
  await expect(copy(location, sqliteTarget())).rejects.toThrow("the source contains an unfinished copy");
  const place = location.engine === "sqlite" ? location.path : `PostgreSQL at ${urlWithoutCredentials(location.url)}`;
  expectFailure(await run(["workspace", "list"], { COMMONPLACE_DATA_DIRECTORY: directory }), 1, `${place}: ${half}`);
  expectFailure(await runRefused({ COMMONPLACE_DATA_DIRECTORY: directory }), 1, `${place}: ${half}`);
}

test("a copy that was killed midway is not taken for a whole one, and can be made again elsewhere", async () => {
  const large = temporaryDirectory();
  const { key, workspace, service } = await startService({ config: { dataDirectory: large } });
  const calls = Array.from({ length: 40_000 }, (_, index) => ({
    workspace_id: workspace.id,
    id: Bun.randomUUIDv7(),
    key_id: key.id,
    key_call: index + 1,
    operation: "getSnippet",
    status: 200,
    units: 1,
    balance_after: 0,
    admitted_at: "2026-03-15T12:00:00.000Z",
  }));
  for (let at = 0; at < calls.length; at += 2_000)
    await service.database.transaction(async (transaction) =>
      transaction.insert("ledger", calls.slice(at, at + 2_000)),
    );
  await service.stop();

  const [from, to] = [await engine.locate(large), await newTarget()];
  const words = ["database", "copy", "--from", formatLocation(from), "--to", formatLocation(to.location)];
  const child = Bun.spawn([...program, ...words], {
    env: await environment({ COMMONPLACE_DATA_DIRECTORY: temporaryDirectory() }),
    stdout: "ignore",
    stderr: "pipe",
  });
  const countCalls = engine.rowsOf(to.directory);
  const deadline = performance.now() + 30_000;
  for (let written = 0; written === 0 && child.exitCode === null && performance.now() < deadline; await Bun.sleep(2))
    // Before the tables exist, the query fails.
    written = await countCalls<{ total: number }>("select count(*) as total from ledger").then(
      ([row]) => row?.total ?? 0,
      () => 0,
    );
  child.kill("SIGKILL");
  expect(await child.exited).toBe(137);
  expect(await new Response(child.stderr).text()).toBe("");
  await expectHalf(to);

  const again = await newTarget();
  expect((await copy(from, again.location)).find(({ table }) => table === "ledger")?.rows).toBe(calls.length);
});

describe("reading a table", () => {
  test("never holds more than some megabytes, and meets every row once", async () => {
    const directory = temporaryDirectory();
    const database = await openNode(directory);
    const workspaceId = Bun.randomUUIDv7();
    const length = 700_000;
    const rows = Array.from({ length: 2_500 }, (_, index) => ({
      id: Bun.randomUUIDv7(),
      name: index % 500 === 0 ? "ä".repeat(length) : "short",
      monthly_requests: index,
      subscription: "active",
      created_at: "2026-03-15T12:00:00.000Z",
      updated_at: "2026-03-15T12:00:00.000Z",
    }));
    await database.transaction(async (transaction) => transaction.insert("workspaces", rows));
    const [table] = tables.filter(({ name }) => name === "workspaces");
    if (!table) throw new Error(`there is no table workspaces, such as for ${workspaceId}`);
    const seen: string[] = [];
    const bytes: number[] = [];
    await database.read(async (transaction) => {
      for await (const chunk of readChunks(transaction, table)) {
        seen.push(...chunk.map((row) => String(row.id)));
        bytes.push(chunk.reduce((sum, row) => sum + Buffer.byteLength(String(row.name)), 0));
      }
    });
    await database.close();
    expect(seen.sort()).toEqual(rows.map(({ id }) => id).sort());
    expect(Math.max(...bytes)).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(bytes.length).toBeLessThan(10);
  });

  test("digests do not depend on the order of rows, nor on how an engine keeps a boolean", () => {
    const table = tables.find(({ name }) => name === "snippets");
    if (!table) throw new Error("there is no table snippets");
    const digest = (...rows: Record<string, string | boolean | number | null>[]) => {
      const sum = new RowDigest(table);
      for (const row of rows) sum.add(row);
      return sum.toString();
    };
    const [one, two] = [
      { id: "1", is_archived: true, title: "a" },
      { id: "2", is_archived: false, title: "b" },
    ];
    const both = digest(one, two);
    expect(digest(two, one)).toBe(both);
    expect(digest({ ...one, is_archived: 1 }, { ...two, is_archived: 0 })).toBe(both);
    const others = [
      digest(one),
      digest(one, one),
      digest(one, two, two),
      digest(one, { ...two, title: "c" }),
      digest(),
    ];
    expect(new Set([both, ...others]).size).toBe(6);
    expect(digest({ ...one, title: 'a","b' })).not.toBe(digest({ ...one, title: "a", snippet_note: "b" }));
  });
});

test("the inspection of a database at rest notices that somebody opened it", async () => {
  if (source.engine === "postgres") return;
  const path = join(temporaryDirectory(), "commonplace.db");
  await copy(source, { engine: "sqlite", path });
  copyFileSync(path, `${path}.kept`);
  const { database, isOvertaken } = inspect({ engine: "sqlite", path });
  expect(isOvertaken()).toBeFalse();
  const opened = await openDatabase({
    dataDirectory: join(path, ".."),
    database: { engine: "sqlite", path },
    databaseConnections: 1,
  });
  expect(isOvertaken()).toBeTrue();
  await opened.close();
  await database.close();
});
