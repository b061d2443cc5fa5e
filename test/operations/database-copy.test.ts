// ./commonplace database copy: everything arrives, what went wrong is noticed, and half a copy is never served.
import { Database as SqliteConnection } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type CopyStep, copyDatabase } from "../../src/platform/database/copy.ts";
import { inspect } from "../../src/platform/database/inspect.ts";
import type { DatabaseLocation } from "../../src/platform/database/location.ts";
import { schemaVersion } from "../../src/platform/database/migrate.ts";
import { openDatabase } from "../../src/platform/database/open.ts";
import { readSchema } from "../../src/platform/database/schema.ts";
import { RowDigest, readChunks } from "../../src/platform/database/table-reader.ts";
import { type Connection, engine, openNode, placeOf } from "../support/engine.ts";
import { type Filled, fillInstance } from "../support/filled.ts";
import { environment, expectFailure, program, run, runJson } from "../support/program.ts";
import { startService, temporaryDirectory } from "../support/service.ts";

const tables = readSchema();
const filledDirectory = temporaryDirectory();
let filled: Filled;
let source: DatabaseLocation;
beforeAll(async () => {
  filled = await fillInstance(filledDirectory);
  source = await engine.locate(filledDirectory);
});

const spell = (location: DatabaseLocation): string =>
  location.engine === "sqlite" ? `sqlite:${location.path}` : location.url;
/** How the command names it: without a password. */
const spellPublicly = (location: DatabaseLocation): string =>
  location.engine === "sqlite" ? spell(location) : `postgres://${placeOf(location.url)}`;

/** Where nothing is yet, on the engine of this run. */
async function newTarget() {
  const directory = temporaryDirectory();
  return { directory, location: await engine.locate(directory) };
}

const sqliteTarget = (): DatabaseLocation => ({
  engine: "sqlite",
  path: join(temporaryDirectory(), "new/commonplace.db"),
});

const copy = (
  from: DatabaseLocation,
  to: DatabaseLocation,
  onStep: (step: CopyStep) => void | Promise<void> = () => undefined,
) =>
  copyDatabase({
    from,
    to,
    onStep,
    open: () => openDatabase({ dataDirectory: dataOf(to), database: to, databaseConnections: 2 }),
  });

const dataOf = (location: DatabaseLocation): string =>
  location.engine === "sqlite" ? join(location.path, "..") : temporaryDirectory();

/** Every row of every table but the migrations, by plain SQL. */
async function contentOf({ rows }: Pick<Connection, "rows">): Promise<Record<string, string[]>> {
  const entries = tables.map(async ({ name, columns }) => {
    const all = await rows(`select ${columns.map((column) => column.name).join(", ")} from ${name}`);
    return [name, all.map((row) => JSON.stringify(row)).sort()] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function withConnection<T>(directory: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await engine.connect(directory);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

test("every row arrives, by way of the other engine and back", async () => {
  const [between, { directory, location: target }] = [sqliteTarget(), await newTarget()];
  const steps: CopyStep[] = [];
  const there = await copy(source, between, (step) => void steps.push(step));
  const back = await copy(between, target);
  const direct = await newTarget();
  const straight = await copy(source, direct.location);

  expect(back).toEqual(there);
  expect(straight).toEqual(there);
  const before = await withConnection(filledDirectory, contentOf);
  for (const { name } of tables) expect(before[name]?.length, name).toBeGreaterThan(0);
  expect(await withConnection(directory, contentOf)).toEqual(before);
  expect(await withConnection(direct.directory, contentOf)).toEqual(before);
  expect(there.map(({ table, rows }) => [table, rows])).toEqual(
    tables.map(({ name }) => [name, before[name]?.length ?? -1]),
  );

  const total = there.reduce((sum, { rows }) => sum + rows, 0);
  for (const phase of ["Copying", "Comparing"] as const) {
    const told = steps.filter((step) => step.phase === phase);
    expect(told.map((step) => step.done)).toEqual(told.map((step) => step.done).sort((left, right) => left - right));
    expect(told.at(-1)).toMatchObject({ done: total, total });
  }
});

test("the service serves the copy as it served the source, with the same keys", async () => {
  const { directory, location } = await newTarget();
  await copy(source, location);
  const { clientFor, service } = await startService({
    at: "2026-04-25T12:00:00.000Z",
    config: { dataDirectory: directory },
  });
  const client = clientFor(filled.key.secret);
  const { data, usage } = await client.getSnippet({ id: filled.varied.id });
  expect(data).toEqual(filled.varied);
  expect(usage.remainingRequests).toBe(filled.balance - 1);
  const { data: history } = await client.getSnippetVariationHistory({
    variationId: filled.snippet.variations[0]?.id ?? "",
  });
  expect(JSON.stringify(history)).toContain(JSON.stringify(filled.snippet.content.content).slice(1, -1));
  await service.stop();
});

test("the tables and columns that are copied are all that the migrations made", async () => {
  await (await openNode(filledDirectory)).close();
  const parts = await withConnection(filledDirectory, ({ rows }) =>
    rows<{ part: string }>(
      engine.name === "postgres"
        ? `select table_name || '.' || column_name as part from information_schema.columns
           where table_schema = current_schema()`
        : `select t.name || '.' || c.name as part from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table'`,
    ),
  );
  const copied = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`));
  const found = parts.map(({ part }) => part).filter((part) => !part.startsWith("schema_migrations."));
  expect([...copied].sort()).toEqual(found.sort());
  for (const { key } of tables) expect(key).not.toEqual([]);
});

describe("a target", () => {
  test("that is not empty is refused before anything is changed: a row of ours, a row of anybody's", async () => {
    const taken = await newTarget();
    await (await startService({ config: { dataDirectory: taken.directory } })).service.stop();
    const before = await withConnection(taken.directory, contentOf);
    await expect(copy(source, taken.location)).rejects.toThrow(
      /^the target is not empty: there are rows in its table api_key/,
    );
    expect(await withConnection(taken.directory, contentOf)).toEqual(before);

    const foreign = await newTarget();
    await withConnectionMade(foreign.directory, async ({ run: change }) => {
      await change('create table "our ""own" (a integer)');
      await change('insert into "our ""own" values (1)');
    });
    await expect(copy(source, foreign.location)).rejects.toThrow(
      'the target is not empty: there are rows in its table our "own',
    );
    const names = await withConnection(foreign.directory, ({ rows }) =>
      rows(
        engine.name === "postgres"
          ? "select 1 from pg_tables where schemaname = 'public'"
          : "select 1 from sqlite_schema",
      ),
    );
    expect(names).toHaveLength(1);
  });

  test("that has the schema and no row is taken", async () => {
    const { directory, location } = await newTarget();
    await (await openNode(directory)).close();
    expect(await copy(source, location)).toHaveLength(tables.length);
  });

  test("that is the source is refused, also by another name", async () => {
    await expect(copy(source, source)).rejects.toThrow("source and target are the same database");
    const other =
      source.engine === "sqlite"
        ? { ...source, path: join(temporaryDirectory(), "link.db") }
        : { ...source, url: source.url.replace("postgres:", "postgresql:") };
    if (source.engine === "sqlite" && other.engine === "sqlite") symlinkSync(source.path, other.path);
    await expect(copy(source, other)).rejects.toThrow("source and target are the same database");
  });
});

/** A database that nothing was done with yet. */
async function withConnectionMade(directory: string, work: (connection: Connection) => Promise<void>) {
  if (engine.name === "sqlite") new SqliteConnection(join(directory, "commonplace.db"), { create: true }).close();
  await withConnection(directory, work);
}

describe("a source", () => {
  const refused = async (change: string, message: string | RegExp) => {
    const { directory, location } = await newTarget();
    await (await openNode(directory)).close();
    await withConnection(directory, ({ run: write }) => write(change));
    const target = sqliteTarget();
    await expect(copy(location, target)).rejects.toThrow(message);
    expect(target.engine === "sqlite" && existsSync(target.path)).toBeFalse();
  };

  test("of an older schema is refused, and not migrated", async () => {
    await refused(
      `delete from schema_migrations where version = ${schemaVersion}`,
      `the source has schema version ${schemaVersion - 1}, and this program knows ${schemaVersion}: start the service on it once`,
    );
  });

  test("of a newer schema is refused", async () => {
    await refused(
      `insert into schema_migrations (version, name, applied_at) values (${schemaVersion + 1}, 'later', '2026-01-01T00:00:00.000Z')`,
      "the source was used by a newer version of this program",
    );
  });

  test("in which there is nothing of ours is refused", async () => {
    await refused("drop table schema_migrations", "the source holds nothing of Commonplace");
  });

  test("that is not there is refused, and not made", async () => {
    const missing = sqliteTarget();
    const { location } = await newTarget();
    await expect(copy(missing, location)).rejects.toThrow(/^source: there is no database at .*commonplace\.db$/);
    expect(missing.engine === "sqlite" && existsSync(missing.path)).toBeFalse();
  });

  test("is left as it is: nothing appears beside it either", async () => {
    const directory = temporaryDirectory();
    const from = join(directory, "commonplace.db");
    await copy(source, { engine: "sqlite", path: from });
    const before = readdirSync(directory);
    const bytes = await Bun.file(from).bytes();
    await copy({ engine: "sqlite", path: from }, (await newTarget()).location);
    expect(readdirSync(directory)).toEqual(before);
    expect(Buffer.compare(await Bun.file(from).bytes(), bytes)).toBe(0);
  });
});

const incomplete = "The target is incomplete, and no service starts on it: remove it";

test("what the target's own rules forbid is said with its table: a damaged source", async () => {
  const damaged = sqliteTarget();
  await copy(source, damaged);
  const connection = new SqliteConnection(damaged.engine === "sqlite" ? damaged.path : "");
  connection.run("pragma foreign_keys = off");
  connection.run("delete from tags where parent_tag_id is null");
  connection.close();
  const target = await newTarget();
  await expect(copy(damaged, target.location)).rejects.toThrow(
    /^the target refuses a row of tags \(.*foreign key.*\): .*doctor/i,
  );
  await expectHalf(target);
});

describe("the comparison at the end", () => {
  /** Does something behind the copy's back when all is written and nothing is compared yet. */
  async function copyDisturbed(disturbed: "source" | "target", statement: string) {
    const [from, to] = [await newTarget(), await newTarget()];
    await copy(source, from.location);
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
    ["one character", "update snippets set title = 'PLain' where title = 'Plain'", "snippets (another digest)"],
    ["a null", "update snippets set shortcut = '' where title = 'Plain'", "snippets (another digest)"],
    [
      "a millisecond",
      "update teams set created_at = '2026-01-15T10:00:00.001Z' where name = 'Own team'",
      "teams (another digest)",
    ],
    [
      "a boolean",
      "update snippets set is_archived = not is_archived where title = 'Plain'",
      "snippets (another digest)",
    ],
    [
      "a row too few",
      "delete from api_key_teams where key_id = (select id from api_keys where name = 'One team')",
      "api_key_teams (2 rows and 1)",
    ],
  ])("notices that %s differs in the target", async (_, statement, found) => {
    const { to, message } = await copyDisturbed("target", statement);
    expect(message).toBe(`source and target do not hold the same: ${found}. ${incomplete}`);
    await expectHalf(to);
  });

  test("notices what was written to the source meanwhile", async () => {
    const { to, message } = await copyDisturbed(
      "source",
      "update workspaces set name = 'Later' where name = 'Another'",
    );
    expect(message).toStartWith("the source was");
    expect(message).toEndWith(incomplete);
    await expectHalf(to);
  });
});

/** No service, no command and no further copy takes it for a whole one. */
async function expectHalf({ directory, location }: { directory: string; location: DatabaseLocation }) {
  const half = "it holds a copy that was not finished: remove it and copy again";
  await expect(openNode(directory)).rejects.toThrow(half);
  await expect(copy(source, location)).rejects.toThrow(
    "the target holds a copy that was not finished: remove it and copy again",
  );
  await expect(copy(location, sqliteTarget())).rejects.toThrow("the source holds a copy that was not finished");
  const place = location.engine === "sqlite" ? location.path : `PostgreSQL at ${placeOf(location.url)}`;
  expectFailure(await run(["workspace", "list"], { COMMONPLACE_DATA: directory }), 1, `${place}: ${half}`);
  expectFailure(await run(["serve"], { COMMONPLACE_DATA: directory }), 1, `${place}: ${half}`);
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
  const words = ["database", "copy", "--from", spell(from), "--to", spell(to.location)];
  const child = Bun.spawn([...program, ...words], {
    env: await environment({ COMMONPLACE_DATA: temporaryDirectory() }),
    stdout: "ignore",
    stderr: "pipe",
  });
  const countCalls = engine.rowsOf(to.directory);
  const deadline = performance.now() + 30_000;
  for (let written = 0; written === 0 && child.exitCode === null && performance.now() < deadline; await Bun.sleep(2))
    // Before the tables are there, the question fails.
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

describe("the command", () => {
  test("prints what every table holds, or JSON", async () => {
    const [target, other] = [sqliteTarget(), sqliteTarget()];
    const here = { COMMONPLACE_DATA: filledDirectory };
    const words = (to: DatabaseLocation) => ["database", "copy", "--from", spell(source), "--to", spell(to)];
    const { status, stdout, stderr } = await run(words(target), here);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const result = await runJson(words(other), here);
    const rows = result.tables.reduce((sum: number, one: { rows: number }) => sum + one.rows, 0);
    expect(result).toEqual({
      from: spellPublicly(source),
      to: spellPublicly(other),
      rows,
      seconds: expect.any(Number),
      tables: tables.map(({ name }) => ({
        table: name,
        rows: expect.any(Number),
        digest: expect.stringMatching(/^[0-9a-f]{32}$/),
      })),
    });
    for (const { digest, table } of result.tables) expect(stdout).toContain(`${digest}  ${table}\n`);
    expect(stdout).toMatch(new RegExp(`^Copied ${rows} rows in [\\d.]+ s\\. Both sides hold the same\\.$`, "m"));
    expect(stdout).not.toContain("postgres:postgres");
  });

  test("takes the password from the environment where the URL has none", async () => {
    if (source.engine === "sqlite") return;
    const [url, target] = [new URL(source.url), sqliteTarget()];
    const PGPASSWORD = decodeURIComponent(url.password);
    url.password = "";
    const words = ["database", "copy", "--from", url.href, "--to", spell(target)];
    const result = await runJson(words, { COMMONPLACE_DATA: filledDirectory, PGPASSWORD });
    expect(result.from).toBe(spellPublicly(source));
  });

  test("refuses what is no URL without repeating it, and never tells a password", async () => {
    const hint = "./commonplace database copy --help";
    const message = "--to must be postgres://USER:PASSWORD@HOST/NAME or sqlite:PATH";
    const wrong = await run(["database", "copy", "--from", "sqlite:a.db", "--to", "mysql://u:hidden@h/n"]);
    expectFailure(wrong, 2, message, hint);
    const nobody = await run([
      "database",
      "copy",
      "--from",
      "postgres://u:hidden@127.0.0.1:1/n",
      "--to",
      "sqlite:a.db",
    ]);
    expect(nobody.status).toBe(1);
    expect(nobody.stderr).toStartWith("commonplace: source: PostgreSQL: ");
    expect(nobody.stderr).not.toContain("hidden");
  });
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
