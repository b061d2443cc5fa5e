// P9: an upgrade never loses data; after a crash it is done again as a whole; several nodes that start together do it once. A process is killed
// after each statement of the migrations, and at random moments; the next start must make of it what an undisturbed one makes.
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseLocation } from "../src/platform/database/location.ts";
import { schemaVersion } from "../src/platform/database/migrate.ts";
import { type Connection, engine } from "../test/support/engine.ts";
import { newDatabase } from "../test/support/new-database.ts";
import { connectToServer } from "../test/support/postgres-databases.ts";
import { temporaryDirectory } from "../test/support/service.ts";
import { dumpRows, dumpSchema, fillTables, type Kept, keptOf, loadKept, readKept } from "./kept-schema.ts";
import { environmentOf, type Fault } from "./planted-fault.ts";
import type { Prove, Run } from "./proof.ts";
import { Random } from "./random.ts";

const randomKillsOf = { long: 60, short: 0, control: 0 };
const nodesAtOnce = 6;
const nodeRoundsOf = { long: 10, short: 1, control: 0 };
const killMillisecondsMax = 600;
const killsInShort = 3;

/** Kills the process after as many statements of the migrations as MIGRATE_KILL_AFTER says. */
const killing: Fault = {
  file: "src/platform/database/migrate.ts",
  find: "for (const statement of migration.statements(dialect)) await execute(statement);",
  replace: `for (const statement of migration.statements(dialect)) {
    await execute(statement);
    globalThis.migrated = (globalThis.migrated ?? 0) + 1;
    if (globalThis.migrated === Number(process.env.MIGRATE_KILL_AFTER)) process.kill(process.pid, "SIGKILL");
  }`,
};

/** What an undisturbed upgrade makes of a database. */
interface Expected {
  readonly schema: string;
  readonly rows: string;
}

export const prove: Prove = async (run) => {
  const random = new Random(run.seed);
  const tables = await fillTables(temporaryDirectory());
  const empty: Kept = {
    name: "nothing",
    version: 0,
    migrations: [],
    statements: { sqlite: [], postgres: [] },
    tables: [],
  };
  const earlier = Array.from({ length: schemaVersion - 1 }, (_, index) =>
    keptOf(`migration ${index + 1}`, index + 1, tables),
  );
  const notes: string[] = [];
  const clean = await upgraded(empty);
  for (const kept of [empty, ...earlier, ...readKept()]) {
    const expected = await upgraded(kept);
    if (expected.schema !== clean.schema)
      throw new Error(`from ${kept.name}, another schema results:\n${difference(expected.schema, clean.schema)}`);
    const before = await loadedRows(kept);
    if (expected.rows !== before)
      throw new Error(`the upgrade from ${kept.name} changed rows:\n${difference(expected.rows, before)}`);
    notes.push(await proveKills(run, kept, expected, random));
  }
  for (let round = 0; round < nodeRoundsOf[run.form] && !run.isOver(); round += 1)
    await proveTogether(run, empty, clean);
  await proveNewer(empty);
  return [...notes, `${nodeRoundsOf[run.form]} times, ${nodesAtOnce} processes started together`];
};

async function proveKills(run: Run, kept: Kept, expected: Expected, random: Random): Promise<string> {
  const statements = keptOf("", schemaVersion, []).statements[engine.name].length - kept.statements[engine.name].length;
  const all = Array.from({ length: statements }, (_, index) => index + 1);
  const chosen =
    run.form === "long" ? all : all.filter((_, index) => index % Math.ceil(all.length / killsInShort) === 0);
  let killed = 0;
  const kill = async (after: number | undefined, milliseconds?: number) => {
    const made = await makeDatabase(kept);
    try {
      const child = migrate(made, after);
      if (milliseconds !== undefined) {
        await Bun.sleep(milliseconds);
        child.kill("SIGKILL");
      }
      await child.exited;
      if (child.signalCode === "SIGKILL") killed += 1;
      else if (after !== undefined) throw new Error(`not killed after ${after} statements`);
      await requireUpgraded(
        made,
        kept,
        expected,
        `after a kill ${after === undefined ? `at ${milliseconds} ms` : `behind statement ${after} of ${statements}`}`,
      );
    } finally {
      await made.remove();
    }
    run.made.inputs += 1;
    run.show(`${run.made.inputs} kills`, run.made.inputs / (2 * statements));
  };
  for (const after of chosen) if (!run.isOver()) await kill(after);
  for (let count = 0; count < randomKillsOf[run.form] && !run.isOver(); count += 1)
    await kill(undefined, random.integer(0, killMillisecondsMax));
  run.made.runs += 1;
  return `from ${kept.name}: ${statements} statements, killed ${killed} times`;
}

interface Made {
  readonly directory: string;
  readonly location: DatabaseLocation;
  readonly connection: Connection;
  readonly remove: () => Promise<void>;
}

async function makeDatabase(kept: Kept): Promise<Made> {
  const directory = await newDatabase();
  const location = await engine.locate(directory);
  const connection = await engine.connect(directory);
  if (kept.version > 0) await loadKept(kept, connection);
  const remove = async () => {
    await connection.close();
    rmSync(directory, { recursive: true, force: true });
    if (location.engine === "sqlite") return;
    const { administrator } = await connectToServer();
    await administrator.unsafe(`drop database ${new URL(location.url).pathname.slice(1)} with (force)`);
  };
  return { directory, location, connection, remove };
}

/** Starts a process that opens the database, with the fault that is planted in this one too. */
function migrate({ directory, location }: Made, killAfter?: number) {
  const own = JSON.parse(process.env.PLANTED_FAULTS ?? "[]") as Fault[];
  return Bun.spawn([process.execPath, join(import.meta.dir, "migrate-once.ts")], {
    env: {
      ...process.env,
      ...environmentOf([...own, ...(killAfter === undefined ? [] : [killing])]),
      MIGRATE_DATABASE: JSON.stringify({ dataDirectory: directory, database: location }),
      ...(killAfter !== undefined && { MIGRATE_KILL_AFTER: String(killAfter) }),
    },
    stdout: "ignore",
    stderr: "pipe",
  });
}

/** Starts the process, and fails unless it ends well. */
async function migrateToEnd(made: Made, when: string): Promise<void> {
  const child = migrate(made);
  const [message, status] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (status !== 0) throw new Error(`${when}, the database cannot be opened: ${message}`);
}

async function upgraded(kept: Kept): Promise<Expected> {
  const made = await makeDatabase(kept);
  try {
    await migrateToEnd(made, `from ${kept.name}`);
    return { schema: await dumpSchema(made.connection), rows: await dumpRows(made.connection, kept) };
  } finally {
    await made.remove();
  }
}

async function loadedRows(kept: Kept): Promise<string> {
  const made = await makeDatabase(kept);
  try {
    return await dumpRows(made.connection, kept);
  } finally {
    await made.remove();
  }
}

async function requireUpgraded(made: Made, kept: Kept, expected: Expected, when: string): Promise<void> {
  await migrateToEnd(made, when);
  const [schema, rows] = [await dumpSchema(made.connection), await dumpRows(made.connection, kept)];
  if (schema !== expected.schema)
    throw new Error(`${when}, the schema differs:\n${difference(schema, expected.schema)}`);
  if (rows !== expected.rows) throw new Error(`${when}, the rows differ:\n${difference(rows, expected.rows)}`);
}

/** Processes that open an empty database at the same moment: each succeeds, and each migration runs once. */
async function proveTogether(run: Run, nothing: Kept, clean: Expected): Promise<void> {
  const made = await makeDatabase(nothing);
  try {
    await Promise.all(Array.from({ length: nodesAtOnce }, () => migrateToEnd(made, "beside other processes")));
    const schema = await dumpSchema(made.connection);
    if (schema !== clean.schema) throw new Error(`the schema differs:\n${difference(schema, clean.schema)}`);
    run.made.inputs += nodesAtOnce;
  } finally {
    await made.remove();
  }
}

/** A schema that only a later version knows is refused, and left as it is. */
async function proveNewer(nothing: Kept): Promise<void> {
  const made = await makeDatabase(nothing);
  try {
    await migrateToEnd(made, "at first");
    const later = schemaVersion + 1;
    await made.connection.run("insert into schema_migrations values (?, 'later', '2030-01-01T00:00:00.000Z')", later);
    const before = await dumpSchema(made.connection);
    const child = migrate(made);
    const [message, status] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    if (
      status === 0 ||
      !message.includes(`has schema version ${later}, but this program supports up to ${schemaVersion}`)
    )
      throw new Error(`a newer schema was not refused: ${status} ${message}`);
    if ((await dumpSchema(made.connection)) !== before) throw new Error("a newer schema was changed");
  } finally {
    await made.remove();
  }
}

/** The lines that only one of two dumps has. */
function difference(one: string, two: string): string {
  const [left, right] = [one.split("\n"), two.split("\n")];
  const only = (lines: string[], others: string[]) => lines.filter((line) => !others.includes(line)).slice(0, 5);
  return [...only(left, right).map((line) => `- ${line}`), ...only(right, left).map((line) => `+ ${line}`)]
    .map((line) => line.slice(0, 500))
    .join("\n");
}
