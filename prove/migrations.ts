// P9: an upgrade never loses data; after a crash it is done again as a whole; several nodes that start together do it once. Databases of all
// released versions, and an empty one, are upgraded to this version and to one with a further migration (next-migration.ts). A process is killed
// after each statement, and at random moments; the next start must make of it what an undisturbed one makes, and the service answers from it.
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseLocation } from "../src/platform/database/location.ts";
import { migrations } from "../src/platform/database/migrations/index.ts";
import { type Connection, engine } from "../test/support/engine.ts";
import { newDatabase } from "../test/support/new-database.ts";
import { connectToServer } from "../test/support/postgres-databases.ts";
import { nextMigration, withNextMigration } from "./next-migration.ts";
import { environmentOf, type Fault } from "./planted-fault.ts";
import type { Prove, Run } from "./proof.ts";
import { Random } from "./random.ts";
import { loadReleased, type Release, readReleased, statementsOf } from "./released.ts";
import { serveReleased } from "./released-service.ts";
import { difference, dumpRows, dumpSchema } from "./schema-dump.ts";

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

/** The faults of a control, for the processes that this one starts. */
const ownFaults = JSON.parse(process.env.PLANTED_FAULTS ?? "[]") as Fault[];

/** A database before its upgrade: empty, or of a release. */
interface Start {
  readonly name: string;
  readonly release?: Release;
}

/** What an undisturbed upgrade makes of a database. */
interface Expected {
  readonly schema: string;
  readonly rows: string;
  /** How long the process took, from its start to its end. */
  readonly milliseconds: number;
}

/** The upgrade of one database, and what it has been through so far. */
interface Upgrade {
  readonly start: Start;
  readonly expected: Expected;
  readonly statements: number;
  killedBehind: number;
  killedAtRandom: number;
  served: number;
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
  const empty: Start = { name: "nothing" };
  const releases = readReleased().map((release): Start => ({ name: release.version, release }));
  if (releases.length === 0) throw new Error("there is no database of a released version");
  const clean = await upgraded(empty);
  const upgrades: Upgrade[] = [];
  for (const start of [empty, ...releases]) {
    const upgrade = await proveUndisturbed(start, clean);
    upgrades.push(upgrade);
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
      ({ start, statements, killedBehind, killedAtRandom, served }) =>
        `from ${start.name}: killed behind ${killedBehind} of ${statements} statements, and ${killedAtRandom} times at a random moment${start.release ? `; its service answered ${served} times` : ""}`,
    ),
    `${nodeRoundsOf[run.form]} times, ${nodesAtOnce} processes started together`,
  ];
};

/** The upgrade leads to the schema of a new database, keeps every row, and the service answers from it. */
async function proveUndisturbed(start: Start, clean: Expected): Promise<Upgrade> {
  const made = await makeDatabase(start);
  try {
    const before = await dumpRows(made.connection, tablesOf(start));
    const expected = await upgrade(made, start);
    if (expected.schema !== clean.schema)
      throw new Error(`from ${start.name}, another schema results:\n${difference(expected.schema, clean.schema)}`);
    if (expected.rows !== before)
      throw new Error(`the upgrade from ${start.name} changed rows:\n${difference(expected.rows, before)}`);
    const statements = pendingOf(start).flatMap(statementsOf).length;
    const result = { start, expected, statements, killedBehind: 0, killedAtRandom: 0, served: 0 };
    await requireService(result, made);
    return result;
  } finally {
    await made.remove();
  }
}

const tablesOf = ({ release }: Start) => release?.tables ?? {};

/** The migrations that the database does not have yet. */
const pendingOf = ({ release }: Start) => [...migrations, nextMigration].slice(release?.migrations.length ?? 0);

async function requireService(upgrade: Upgrade, { directory }: Made): Promise<void> {
  const { release } = upgrade.start;
  if (!release) return;
  await serveReleased(release.version, directory, [...ownFaults, withNextMigration]);
  upgrade.served += 1;
}

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
  const { start, expected, statements } = upgrade;
  const made = await makeDatabase(start);
  try {
    if ("statement" in moment) {
      const child = migrate(made, moment.statement);
      await child.exited;
      if (child.signalCode !== "SIGKILL") throw new Error(`not killed behind statement ${moment.statement}`);
      upgrade.killedBehind += 1;
      await requireUpgraded(
        made,
        start,
        expected,
        `after a kill behind statement ${moment.statement} of ${statements}`,
      );
      await requireService(upgrade, made);
    } else {
      const child = migrate(made);
      await Bun.sleep(moment.milliseconds);
      child.kill("SIGKILL");
      await child.exited;
      if (child.signalCode === "SIGKILL") upgrade.killedAtRandom += 1;
      await requireUpgraded(made, start, expected, `after a kill at ${moment.milliseconds} ms`);
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

async function makeDatabase({ release }: Start): Promise<Made> {
  const directory = await newDatabase();
  const location = await engine.locate(directory);
  if (release) await loadReleased(release.version, directory);
  const connection = await engine.connect(directory);
  const remove = async () => {
    await connection.close();
    rmSync(directory, { recursive: true, force: true });
    if (location.engine === "sqlite") return;
    const { administrator } = await connectToServer();
    await administrator.unsafe(`drop database ${new URL(location.url).pathname.slice(1)} with (force)`);
  };
  return { directory, location, connection, remove };
}

/** Starts a process that opens the database, as a program with a further migration. */
function migrate({ directory, location }: Made, killAfter?: number) {
  return Bun.spawn([process.execPath, join(import.meta.dir, "migrate-once.ts")], {
    env: {
      ...process.env,
      ...environmentOf([...ownFaults, withNextMigration, ...(killAfter === undefined ? [] : [killing])]),
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

async function upgraded(start: Start): Promise<Expected> {
  const made = await makeDatabase(start);
  try {
    return await upgrade(made, start);
  } finally {
    await made.remove();
  }
}

async function upgrade(made: Made, start: Start): Promise<Expected> {
  const started = performance.now();
  await migrateToEnd(made, `from ${start.name}`);
  const milliseconds = performance.now() - started;
  const [schema, rows] = [await dumpSchema(made.connection), await dumpRows(made.connection, tablesOf(start))];
  return { schema, rows, milliseconds };
}

async function requireUpgraded(made: Made, start: Start, expected: Expected, when: string): Promise<void> {
  await migrateToEnd(made, when);
  const [schema, rows] = [await dumpSchema(made.connection), await dumpRows(made.connection, tablesOf(start))];
  if (schema !== expected.schema)
    throw new Error(`${when}, the schema differs:\n${difference(schema, expected.schema)}`);
  if (rows !== expected.rows) throw new Error(`${when}, the rows differ:\n${difference(rows, expected.rows)}`);
}

/** Processes that open an empty database at the same moment: each succeeds, and each migration runs once. */
async function proveTogether(run: Run, nothing: Start, clean: Expected): Promise<void> {
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
async function proveNewer(nothing: Start): Promise<void> {
  const made = await makeDatabase(nothing);
  try {
    await migrateToEnd(made, "at first");
    const supported = migrations.length + 1;
    const later = supported + 1;
    await made.connection.run("insert into schema_migrations values (?, 'later', '2030-01-01T00:00:00.000Z')", later);
    const before = await dumpSchema(made.connection);
    const child = migrate(made);
    const [message, status] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    if (status === 0 || !message.includes(`has schema version ${later}, but this program supports up to ${supported}`))
      throw new Error(`a newer schema was not refused: ${status} ${message}`);
    if ((await dumpSchema(made.connection)) !== before) throw new Error("a newer schema was changed");
  } finally {
    await made.remove();
  }
}
