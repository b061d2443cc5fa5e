// Databases of released versions, one on each engine, as their services left them: test/fixtures/released, written by `npm run keep-release`.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { SQL } from "bun";
import type { Migration } from "../src/platform/database/migration.ts";
import { dialect } from "../src/platform/database/postgres.ts";
import { columnTypes } from "../src/platform/database/sqlite.ts";
import { engine } from "../test/support/engine.ts";
import type { Tables } from "./schema-dump.ts";

export const releasedDirectory = join(import.meta.dir, "../test/fixtures/released");

/** The file of a released version that is the same for both engines. */
export const manifestName = "release.json";
/** The database, and what its service said. */
export const databaseNames = { sqlite: "sqlite.db.gz", postgres: "postgres.sql.gz" } as const;
export const answersNames = { sqlite: "sqlite.json.gz", postgres: "postgres.json.gz" } as const;

/** What a migration does on each engine, as a checksum. */
export interface MigrationSums {
  readonly name: string;
  readonly sqlite: string;
  readonly postgres: string;
}

export interface Release {
  readonly version: string;
  readonly migrations: readonly MigrationSums[];
  readonly tables: Tables;
}

/** What the service of the release said, and the secrets with which it is asked again. They open nothing but this database. */
export interface Answers {
  readonly key: string;
  readonly email: string;
  readonly password: string;
  readonly teamId: string;
  /** Records of the API. */
  readonly snippets: readonly { readonly id: string }[];
}

const columnTypesOf = { sqlite: columnTypes, postgres: dialect };

/** The statements of a migration on the engine of this run. */
export const statementsOf = (migration: Migration): readonly string[] =>
  migration.statements(columnTypesOf[engine.name]);

export const sumsOf = ({ name, statements }: Migration): MigrationSums => ({
  name,
  sqlite: sha256(statements(columnTypes)),
  postgres: sha256(statements(dialect)),
});

/** Spaces and line breaks between words change nothing. */
const sha256 = (statements: readonly string[]): string =>
  createHash("sha256")
    .update(statements.map((statement) => statement.replaceAll(/\s+/g, " ")).join(";\n"))
    .digest("hex");

/** All released versions, oldest first. */
export const readReleased = (): Release[] =>
  (existsSync(releasedDirectory) ? readdirSync(releasedDirectory, { withFileTypes: true }) : [])
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => JSON.parse(readFileSync(join(releasedDirectory, name, manifestName), "utf8")) as Release)
    .sort((one, two) => Bun.semver.order(one.version, two.version));

const unzipped = (version: string, name: string): Buffer =>
  gunzipSync(readFileSync(join(releasedDirectory, version, name)));

export const readAnswers = (version: string): Answers =>
  JSON.parse(unzipped(version, answersNames[engine.name]).toString()) as Answers;

const databases = new Map<string, Buffer>();

/** Makes the empty database of a new data directory the one of the release. */
export async function loadReleased(version: string, dataDirectory: string): Promise<void> {
  const bytes = databases.get(version) ?? unzipped(version, databaseNames[engine.name]);
  databases.set(version, bytes);
  const location = await engine.locate(dataDirectory);
  if (location.engine === "sqlite") return writeFileSync(location.path, bytes);
  const pool = new SQL(location.url, { max: 1 });
  try {
    await pool.unsafe(bytes.toString());
  } finally {
    await pool.close();
  }
}
