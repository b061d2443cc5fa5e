// Promise P9: a database that a released version left is upgraded to the schema of this one, keeps its rows, and is served. What a released
// version has never changes.
import { describe, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { withNextMigration } from "../../prove/next-migration.ts";
import { environmentOf } from "../../prove/planted-fault.ts";
import {
  answersNames,
  databaseNames,
  loadReleased,
  readAnswers,
  readReleased,
  releasedDirectory,
  sumsOf,
} from "../../prove/released.ts";
import { expectAnswers } from "../../prove/released-service.ts";
import { dumpRows, dumpSchema } from "../../prove/schema-dump.ts";
import { makeBackup, restoreBackup } from "../../src/operations/backup/backup.ts";
import { migrations } from "../../src/platform/database/migrations/index.ts";
import { version as programVersion } from "../../src/platform/program.ts";
import { complaints, examine } from "../support/doctor.ts";
import { engine, openNode } from "../support/engine.ts";
import { newDatabase } from "../support/new-database.ts";
import { fromSource, serve } from "../support/program.ts";
import { startService, temporaryDirectory } from "../support/service.ts";

/** The schema that a first start makes. */
async function cleanSchema(): Promise<string> {
  const directory = await newDatabase();
  await (await openNode(directory)).close();
  const connection = await engine.connect(directory);
  const schema = await dumpSchema(connection);
  await connection.close();
  return schema;
}

/** After the rows were written. */
const later = "2026-04-27T12:00:00.000Z";
const renew =
  "Until the version has a tag, run `npm run keep-release`. Afterwards, undo the change, and add a migration at the end of the list";

const releases = readReleased();

test("there is a database of this version, and each is small", () => {
  expect(releases.map(({ version }) => version)).toContain(programVersion);
  const names = [...Object.values(databaseNames), ...Object.values(answersNames)];
  const sizes = releases.flatMap(({ version }) => names.map((name) => join(releasedDirectory, version, name)));
  expect(sizes.filter((path) => statSync(path).size > 200_000)).toEqual([]);
});

describe.each(releases.map((release) => [release.version, release] as const))("version %s", (version, release) => {
  test("its migrations are the first ones of this version, word for word", () => {
    const now = migrations.slice(0, release.migrations.length).map(sumsOf);
    expect(now, renew).toEqual([...release.migrations]);
  });

  test("its database is upgraded to the schema of a new one, keeps its rows, and is served", async () => {
    const directory = await newDatabase();
    await loadReleased(version, directory);
    const connection = await engine.connect(directory);
    const before = await dumpRows(connection, release.tables);
    // A schema that is not newer has to be the same before an upgrade: a migration that was edited would not run again.
    if (release.migrations.length === migrations.length)
      expect(await dumpSchema(connection), renew).toBe(await cleanSchema());

    await (await openNode(directory)).close();

    expect((await dumpRows(connection, release.tables)) === before).toBeTrue();
    expect(await dumpSchema(connection)).toBe(await cleanSchema());
    await connection.close();
    const { ca, baseUrl, service } = await startService({ at: later, config: { dataDirectory: directory } });
    await expectAnswers(readAnswers(version), baseUrl, ca);
    await service.stop();
    const ofData = complaints(await examine(directory)).filter(([, severity]) => severity === "problem");
    expect(ofData).toEqual([]);
  }, 180_000);

  test.skipIf(engine.name !== "sqlite")("a backup of its database is restored, and served", async () => {
    const [released, directory] = [await newDatabase(), temporaryDirectory()];
    await loadReleased(version, released);
    const backup = join(temporaryDirectory(), "backup.db");
    await makeBackup(join(released, "commonplace.db"), backup);
    await restoreBackup(backup, { dataDirectory: directory, databasePath: join(directory, "commonplace.db") });
    const { ca, baseUrl, service } = await startService({ at: later, config: { dataDirectory: directory } });
    await expectAnswers(readAnswers(version), baseUrl, ca);
    await service.stop();
  });
});

test.skipIf(engine.name !== "postgres")(
  "a node continues to work while the next version migrates the schema and serves, and cannot start again",
  async () => {
    const { given, client, dataDirectory } = await startService({ at: later });
    const { id } = await given.snippet({ title: "Before" });
    const settings = { COMMONPLACE_DATA_DIRECTORY: dataDirectory, ...environmentOf([withNextMigration]) };
    await using next = await serve(settings, [], fromSource);
    expect((await client.getSnippet({ id })).data.title).toBe("Before");
    await client.putSnippet({ id, title: "Between" });
    const made = await given.snippet({ title: "By the earlier version" });
    await client.deleteSnippet({ id: made.id });
    expect((await fetch(new URL("/readyz", next.baseUrl), { tls: { ca: readFileSync(next.ca) } })).status).toBe(200);
    const known = migrations.length;
    await expect(openNode(dataDirectory)).rejects.toThrow(
      `the database has schema version ${known + 1}, but this program supports up to ${known}`,
    );
  },
  60_000,
);
