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
  /** How long the process took, from its start to its end. */
  readonly milliseconds: number;
}

/** The upgrade of one database, and what it has been through so far. */
interface Upgrade {
  readonly kept: Kept;
  readonly expected: Expected;
  readonly statements: number;
  killedBehind: number;
  killedAtRandom: number;
}

interface Kill {
  readonly upgrade: Upgrade;
  /** Behind a statement, counted from 1, or after some time. */
  readonly moment: { readonly statement: number } | { readonly milliseconds: number };
  /** From 0 to 1, how far it is down the list of its upgrade. */
  readonly turn: number;
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
  const clean = await upgraded(empty);
  const upgrades: Upgrade[] = [];
  for (const kept of [empty, ...earlier, ...readKept()]) {
    const expected = await upgraded(kept);
    if (expected.schema !== clean.schema)
      throw new Error(`from ${kept.name}, another schema results:\n${difference(expected.schema, clean.schema)}`);
    const before = await loadedRows(kept);
    if (expected.rows !== before)
      throw new Error(`the upgrade from ${kept.name} changed rows:\n${difference(expected.rows, before)}`);
    upgrades.push({ kept, expected, statements: statementsAfter(kept), killedBehind: 0, killedAtRandom: 0 });
    run.made.runs += 1;
  }
  await proveNewer(empty);
  for (let round = 0; round < nodeRoundsOf[run.form]; round += 1) await proveTogether(run, empty, clean);
  // If the time does not suffice, each upgrade has had the same share of its kills.
  const kills = upgrades.flatMap((upgrade) => killsOf(upgrade, run, random)).sort((one, two) => one.turn - two.turn);
  for (const [index, kill] of kills.entries()) {
    if (run.isOver()) break;
    await proveKill(kill);
    run.made.inputs += 1;
    run.show(`${index + 1} of ${kills.length} kills`, (index + 1) / kills.length);
  }
  return [
    ...upgrades.map(
      ({ kept, statements, killedBehind, killedAtRandom }) =>
        `from ${kept.name}: killed behind ${killedBehind} of ${statements} statements, and ${killedAtRandom} times at a random moment`,
    ),
    `${nodeRoundsOf[run.form]} times, ${nodesAtOnce} processes started together`,
  ];
};

const statementsAfter = (kept: Kept): number =>
  keptOf("", schemaVersion, []).statements[engine.name].length - kept.statements[engine.name].length;

function killsOf(upgrade: Upgrade, { form }: Run, random: Random): Kill[] {
  const all = Array.from({ length: upgrade.statements }, (_, index) => ({ statement: index + 1 }));
  const chosen = form === "long" ? all : all.filter((_, index) => index % Math.ceil(all.length / killsInShort) === 0);
  const atRandom = Array.from({ length: randomKillsOf[form] }, () => ({
    milliseconds: random.integer(0, Math.ceil(upgrade.expected.milliseconds)),
  }));
  const moments = [...chosen, ...atRandom];
  return moments.map((moment, index) => ({ upgrade, moment, turn: index / moments.length }));
}

async function proveKill({ upgrade, moment }: Kill): Promise<void> {
  const { kept, expected, statements } = upgrade;
  const made = await makeDatabase(kept);
  try {
    if ("statement" in moment) {
      const child = migrate(made, moment.statement);
      await child.exited;
      if (child.signalCode !== "SIGKILL") throw new Error(`not killed behind statement ${moment.statement}`);
      upgrade.killedBehind += 1;
      await requireUpgraded(made, kept, expected, `after a kill behind statement ${moment.statement} of ${statements}`);
    } else {
      const child = migrate(made);
      await Bun.sleep(moment.milliseconds);
      child.kill("SIGKILL");
      await child.exited;
      if (child.signalCode === "SIGKILL") upgrade.killedAtRandom += 1;
      await requireUpgraded(made, kept, expected, `after a kill at ${moment.milliseconds} ms`);
    }
  } finally {
    await made.remove();
  }
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
    const started = performance.now();
    await migrateToEnd(made, `from ${kept.name}`);
    const milliseconds = performance.now() - started;
    return { schema: await dumpSchema(made.connection), rows: await dumpRows(made.connection, kept), milliseconds };
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
