// Writes the database of a release to test/fixtures/schemas: `KEEP_SCHEMA=1.0.0 bun test ./prove/keep-schema.ts`.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { schemaVersion } from "../src/platform/database/migrate.ts";
import { temporaryDirectory } from "../test/support/service.ts";
import { fillTables, keptDirectory, keptOf } from "./kept-schema.ts";

const release = process.env.KEEP_SCHEMA;

test.skipIf(!release)(
  "keeps the schema of a release, with rows in every table",
  async () => {
    const path = join(keptDirectory, `${release}.json.gz`);
    if (existsSync(path)) throw new Error(`${path} is there already, and a released schema does not change`);
    const tables = await fillTables(temporaryDirectory());
    expect(tables.filter(({ rows }) => rows.length === 0).map(({ name }) => name)).toEqual([]);
    await Bun.write(path, gzipSync(JSON.stringify(keptOf(release ?? "", schemaVersion, tables)), { level: 9 }));
  },
  60_000,
);
