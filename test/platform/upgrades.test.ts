// Promise P9: a database that an earlier version left is upgraded to the schema of this one, and keeps its rows.
import { beforeAll, describe, expect, test } from "bun:test";
import { dumpRows, dumpSchema, fillTables, type Kept, keptOf, loadKept, readKept } from "../../prove/kept-schema.ts";
import { schemaVersion } from "../../src/platform/database/migrate.ts";
import { engine, openNode } from "../support/engine.ts";
import { newDatabase } from "../support/new-database.ts";
import { temporaryDirectory } from "../support/service.ts";

let tables: Kept["tables"] = [];
beforeAll(async () => {
  tables = await fillTables(temporaryDirectory());
});

/** The schema that a first start makes. */
async function cleanSchema(): Promise<string> {
  const directory = await newDatabase();
  await (await openNode(directory)).close();
  const connection = await engine.connect(directory);
  const schema = await dumpSchema(connection);
  await connection.close();
  return schema;
}

const earlier: readonly (readonly [string, () => Kept])[] = [
  ...Array.from({ length: schemaVersion - 1 }, (_, index) => {
    const name = `migration ${index + 1}`;
    return [name, () => keptOf(name, index + 1, tables)] as const;
  }),
  ...readKept().map((kept) => [kept.name, () => kept] as const),
];

describe.each(earlier)("a database of %s", (_, keptOfIt) => {
  test("is upgraded to the schema of a new one, and keeps its rows", async () => {
    const kept = keptOfIt();
    const directory = await newDatabase();
    const connection = await engine.connect(directory);
    await loadKept(kept, connection);
    const before = await dumpRows(connection, kept);
    expect(before.length).toBeGreaterThan(1_000_000);

    await (await openNode(directory)).close();

    expect((await dumpRows(connection, kept)) === before).toBeTrue();
    expect(await dumpSchema(connection)).toBe(await cleanSchema());
    await connection.close();
  }, 180_000);
});
