// ./commonplace database copy: everything is copied, from valid sources to valid targets.
import { Database as SqliteConnection } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { withNextMigration } from "../../prove/next-migration.ts";
import { environmentOf } from "../../prove/planted-fault.ts";
import type { CopyStep } from "../../src/platform/database/copy.ts";
import type { DatabaseLocation } from "../../src/platform/database/location.ts";
import { schemaVersion } from "../../src/platform/database/migrate.ts";
import {
  contentOf,
  copy,
  filled,
  filledDirectory,
  formatLocation,
  formatWithoutPassword,
  makeSource,
  newTarget,
  source,
  sqliteTarget,
  tables,
  withConnection,
} from "../support/database-copy.ts";
import { type Connection, engine, openNode } from "../support/engine.ts";
import { expectFailure, fromSource, run, runJson, runToEnd } from "../support/program.ts";
import { startService, temporaryDirectory } from "../support/service.ts";

beforeAll(makeSource);

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
      /^the target is not empty: its table alert_settings has rows/,
    );
    expect(await withConnection(taken.directory, contentOf)).toEqual(before);

    const foreign = await newTarget();
    await withConnectionMade(foreign.directory, async ({ run: change }) => {
      await change('create table "our ""own" (a integer)');
      await change('insert into "our ""own" values (1)');
    });
    await expect(copy(source, foreign.location)).rejects.toThrow(
      'the target is not empty: its table our "own has rows',
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
    await expect(copy(source, source)).rejects.toThrow("the source and the target are the same database");
    const other =
      source.engine === "sqlite"
        ? { ...source, path: join(temporaryDirectory(), "link.db") }
        : { ...source, url: source.url.replace("postgres:", "postgresql:") };
    if (source.engine === "sqlite" && other.engine === "sqlite") symlinkSync(source.path, other.path);
    await expect(copy(source, other)).rejects.toThrow("the source and the target are the same database");
  });
});

/** Opens a database that no service has used yet. */
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
    const { directory, location } = await newTarget();
    await (await openNode(directory)).close();
    const to = join(temporaryDirectory(), "copy.db");
    const words = ["database", "copy", "--from", formatLocation(location), "--to", `sqlite:${to}`];
    const { status, stderr } = await runToEnd([fromSource, ...words], environmentOf([withNextMigration]));
    expect(status).toBe(1);
    expect(stderr).toContain(
      `the source has schema version ${schemaVersion}, but this program uses ${schemaVersion + 1}. Start the service on it once`,
    );
    expect(existsSync(to)).toBeFalse();
  });

  test("of a newer schema is refused", async () => {
    await refused(
      `insert into schema_migrations (version, name, applied_at) values (${schemaVersion + 1}, 'later', '2026-01-01T00:00:00.000Z')`,
      "the source was last used by a newer version of Commonplace",
    );
  });

  test("in which there is nothing of ours is refused", async () => {
    await refused("drop table schema_migrations", "the source is not a Commonplace database");
  });

  test("that is not there is refused, and not made", async () => {
    const missing = sqliteTarget();
    const { location } = await newTarget();
    await expect(copy(missing, location)).rejects.toThrow(/^source: no database at .*commonplace\.db$/);
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

describe("the command", () => {
  test("prints what every table holds, or JSON", async () => {
    const [target, other] = [sqliteTarget(), sqliteTarget()];
    const here = { COMMONPLACE_DATA_DIRECTORY: filledDirectory };
    const words = (to: DatabaseLocation) => [
      "database",
      "copy",
      "--from",
      formatLocation(source),
      "--to",
      formatLocation(to),
    ];
    const { status, stdout, stderr } = await run(words(target), here);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const result = await runJson(words(other), here);
    const rows = result.tables.reduce((sum: number, one: { rows: number }) => sum + one.rows, 0);
    expect(result).toEqual({
      from: formatWithoutPassword(source),
      to: formatWithoutPassword(other),
      rows,
      seconds: expect.any(Number),
      tables: tables.map(({ name }) => ({
        table: name,
        rows: expect.any(Number),
        digest: expect.stringMatching(/^[0-9a-f]{32}$/),
      })),
    });
    for (const { digest, table } of result.tables) expect(stdout).toContain(`${digest}  ${table}\n`);
    expect(stdout).toMatch(new RegExp(`^Copied ${rows} rows in [\\d.]+ s\\. Source and target are identical\\.$`, "m"));
    expect(stdout).not.toContain("postgres:postgres");
  });

  test.skipIf(engine.name === "sqlite")("takes the password from the environment where the URL has none", async () => {
    if (source.engine === "sqlite") throw new Error("the source must be a PostgreSQL");
    const [url, target] = [new URL(source.url), sqliteTarget()];
    const PGPASSWORD = decodeURIComponent(url.password);
    url.password = "";
    const words = ["database", "copy", "--from", url.href, "--to", formatLocation(target)];
    const result = await runJson(words, { COMMONPLACE_DATA_DIRECTORY: filledDirectory, PGPASSWORD });
    expect(result.from).toBe(formatWithoutPassword(source));
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
