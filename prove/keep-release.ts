// Writes the database of one engine to test/fixtures/released: run by scripts/keep-release.ts, with KEEP_RELEASE=0.1.0.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { migrations } from "../src/platform/database/migrations/index.ts";
import { readSchema } from "../src/platform/database/schema.ts";
import { afterAllTests } from "../test/support/cleanup.ts";
import { startConsole, testPassword } from "../test/support/console.ts";
import { engine } from "../test/support/engine.ts";
import { fillInstance } from "../test/support/filled.ts";
import { startSystemPostgres, toolsDirectory } from "../test/support/postgres-tools.ts";
import { runToEnd } from "../test/support/program.ts";
import { temporaryDirectory } from "../test/support/service.ts";
import {
  type Answers,
  answersNames,
  databaseNames,
  manifestName,
  type Release,
  releasedDirectory,
  sumsOf,
} from "./released.ts";

const version = process.env.KEEP_RELEASE;
/** After all that `fillInstance` does. */
const at = "2026-04-26T10:00:00.000Z";

test.skipIf(!version)(
  "keeps the database of a release, with rows in every table",
  async () => {
    const directory = join(releasedDirectory, version ?? "");
    const tools = engine.name === "postgres" ? await startTools() : undefined;
    const dataDirectory = temporaryDirectory();
    const answers = await fill(dataDirectory);
    const tables = readSchema();
    expect(await emptyTables(dataDirectory, tables)).toEqual([]);
    const database =
      tools === undefined ? readFileSync(join(dataDirectory, "commonplace.db")) : await dump(tools, dataDirectory);
    const columns = Object.fromEntries(tables.map((table) => [table.name, table.columns.map(({ name }) => name)]));
    const release: Release = { version: version ?? "", migrations: migrations.map(sumsOf), tables: columns };
    write(directory, databaseNames[engine.name], gzipSync(database, { level: 9 }));
    write(directory, answersNames[engine.name], gzipSync(JSON.stringify(answers), { level: 9 }));
    write(directory, manifestName, `${JSON.stringify(release, null, 2)}\n`);
  },
  300_000,
);

const write = (directory: string, name: string, content: string | Buffer): void =>
  writeFileSync(join(directory, name), content);

/** Everything that the tests' instance has, and a person who signs in, invites, imports, and asks for alerts. */
async function fill(dataDirectory: string): Promise<Answers> {
  const filled = await fillInstance(dataDirectory);
  const started = await startConsole({ at, config: { dataDirectory } });
  const { client, clientFor, person, service, team, visitor, workspace } = started;
  const email = "owner@example.com";
  const owner = await person({ role: "owner", email, isOperator: true, workspaceId: workspace.id });
  for (const password of ["not the password", testPassword])
    await visitor().auth("/sign-in/email", { email, password });
  const asked = [
    await owner.call("postInvitation", { body: { email: "invited@example.com", role: "member" } }),
    await owner.call("putAlerts", {
      body: { isQuotaOn: true, isExpiryOn: true, isRefusalsOn: true, emails: ["alerts@example.com"] },
    }),
  ];
  expect(asked.map(({ status }) => status)).toEqual([200, 200]);
  const file = JSON.stringify([{ name: "Imported", text: "Text of a file", keyword: "!imported" }]);
  await client.postImport({ teamId: team.id, fileName: "raycast.json", file });
  const first = clientFor(filled.key.secret);
  const ids = [filled.snippet, filled.plain, filled.varied, filled.replaced].map(({ id }) => id);
  const answers: Answers = {
    key: filled.key.secret,
    email,
    password: testPassword,
    teamId: filled.team.id,
    snippets: await Promise.all(ids.map(async (id) => (await first.getSnippet({ id })).data)),
  };
  await service.stop();
  return answers;
}

async function emptyTables(dataDirectory: string, tables: ReturnType<typeof readSchema>): Promise<string[]> {
  const rows = engine.rowsOf(dataDirectory);
  const empty: string[] = [];
  for (const { name } of tables) if ((await rows(`select 1 from ${name} limit 1`)).length === 0) empty.push(name);
  return empty;
}

/** Starts a server of the version of pg_dump, for all databases of this process. */
async function startTools(): Promise<string> {
  const path = toolsDirectory();
  if (path === undefined)
    throw new Error("PostgreSQL's server and pg_dump are needed: on Debian, apt install postgresql");
  const { urlOf, stop } = await startSystemPostgres(path);
  afterAllTests(stop);
  process.env.TEST_DATABASE_URL = urlOf("postgres");
  return path;
}

/** Statements that every supported server understands: without the settings of the session before them, and without commands of psql. */
async function dump(tools: string, dataDirectory: string): Promise<Buffer> {
  const location = await engine.locate(dataDirectory);
  if (location.engine !== "postgres") throw new Error("not a database of PostgreSQL");
  const options = ["--no-owner", "--no-privileges", "--no-comments", "--inserts", "--rows-per-insert=100"];
  const { status, stdout, stderr } = await runToEnd([join(tools, "pg_dump"), ...options, location.url]);
  if (status !== 0) throw new Error(stderr);
  const statements = stdout.slice(stdout.indexOf("CREATE TABLE")).replace(/\n\\unrestrict .*\s*$/, "\n");
  return Buffer.from(statements);
}
