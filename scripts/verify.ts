// Runs the checks and the tests, then prints why tests failed and how many passed and failed.
// `npm test` runs all checks and, of the test files that take long, a sixth, another one each time; `npm test -- --all` runs everything;
// `npm test -- test/api/matrix.test.ts` only these test files, without the checks before them;
// `npm test -- --changed` the checks and the test files that the branch's changes can affect, `--changed=REV` those since a revision.
// `npm test -- --record` runs all and writes how long each file took to test/seconds.json, by which the parts are balanced.
// TEST_DIRECTORY is where the tests put their files; by default in memory, if there is room.
// TEST_ENGINE=sqlite or postgres runs them on that engine only; TEST_DATABASE_URL names a PostgreSQL to use instead of a new one.
import { Database } from "bun:sqlite";
import { accessSync, constants, readFileSync, statfsSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { startPostgres } from "../test/support/postgres-server.ts";
import { chooseChanged } from "./changed-tests.ts";
import { type Result, runPart } from "./test-parts.ts";
import {
  type Engine,
  fileCount,
  type Part,
  type Plan,
  partsOf,
  planAll,
  planNamed,
  planTurn,
  type Seconds,
  testFiles,
} from "./test-plan.ts";
import {
  countsText,
  failuresText,
  groupsText,
  type Results,
  Screen,
  slowestText,
  sumOf,
  type Titles,
} from "./test-report.ts";

interface Check {
  readonly name: string;
  readonly command: readonly string[];
}

const bun = process.execPath;
/** On one thread: several repeat each other's work and take more than twice the processor time, while other checks run beside it. */
const typeCheck = (project: string) => ["node_modules/.bin/tsc", "--singleThreaded", "--project", project];
const checks: readonly Check[] = [
  { name: "format and lint", command: ["node_modules/.bin/biome", "check", "--error-on-warnings", "."] },
  { name: "types, service", command: typeCheck(".") },
  { name: "types, pages", command: typeCheck("web") },
  { name: "types, tests", command: typeCheck("test") },
  { name: "module boundaries", command: [bun, "scripts/boundaries.ts"] },
  { name: "generated files", command: [bun, "scripts/generate.ts", "--check"] },
];
/** The executable that tests of processes run; it starts in a third of the time that the source takes. */
const executable: Check = { name: "executable", command: [bun, "scripts/build.ts", "--keep-pages"] };
const executablePath = join(import.meta.dir, "../dist/commonplace");
/** The pages and the documentation in it, which the services of the tests serve. */
const pagesPath = join(import.meta.dir, "../dist/pages.json");
const docsPath = join(import.meta.dir, "../dist/docs.json");
/** The recorded time of each test file. */
const secondsPath = join(import.meta.dir, "../test/seconds.json");
const checkNameWidth = 17;
const exitInterrupted = 130;
const exitMisused = 2;
const secondsRecordedMin = 0.5;
/** Two more than there are processors: each part waits much of its time, for a disk, a process or a browser. */
const partsAtOnce = availableParallelism() + 2;

/**
 * Tests create hundreds of databases: autovacuum of each of them every minute would take much of the time, and so would
 * checkpoints of all of them. Settings that affect a commit's durability keep their defaults.
 */
const postgresSettings = { autovacuum_naptime: "1h", checkpoint_timeout: "1h", max_wal_size: "8GB" };

/** A file system in memory is used for the tests' files if it has room for them. */
const memoryDirectory = "/dev/shm";
const memoryBytesMin = 4 * 1024 ** 3;
if (process.env.TEST_DIRECTORY === undefined && hasRoom(memoryDirectory)) process.env.TEST_DIRECTORY = memoryDirectory;

const runners = new Set<Bun.Subprocess>();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    for (const runner of runners) runner.kill();
    process.exit(exitInterrupted);
  });

const startedAt = performance.now();
const words = process.argv.slice(2);
const named = words.filter((word) => !word.startsWith("--"));
const isRecording = words.includes("--record");
const recorded: Seconds = JSON.parse(readFileSync(secondsPath, "utf8"));
const { plan, leftOut } = choosePlan(process.env.TEST_ENGINE || undefined);
const failedChecks = named.length > 0 ? [] : await runChecks([...checks, executable]);
const program =
  named.length > 0 || failedChecks.includes(executable)
    ? {}
    : { TEST_PROGRAM: executablePath, TEST_PAGES: pagesPath, TEST_DOCS: docsPath };
/** A run with turns tries a part of the cases that are alike (`test/support/some-cases.ts`). */
const cases = leftOut === undefined ? {} : { TEST_CASES: "some" };
process.exit((await passesTests()) && failedChecks.length === 0 ? 0 : 1);

function hasRoom(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory);
    accessSync(directory, constants.W_OK);
    return bavail * bsize >= memoryBytesMin;
  } catch {
    return false;
  }
}

/**
 * The named test files, those that a change can affect, all, or those whose turn it is.
 * @returns `leftOut`: how many wait for their turn, each engine counted; undefined in a run that has no turns
 */
function choosePlan(engine: string | undefined): { readonly plan: Plan; readonly leftOut?: number } {
  const changed = words.find((word) => /^--changed(=|$)/.test(word));
  const unknown = words.find((word) => word.startsWith("--") && ![changed, "--record", "--all"].includes(word));
  if (unknown) {
    process.stderr.write(`npm test has no option ${unknown}; it has --all, --changed, --changed=REV, and --record\n`);
    process.exit(exitMisused);
  }
  if (named.length > 0) return { plan: planNamed(named, engine) };
  const affected = changed ? affectedFiles(changed.split("=")[1]) : undefined;
  const all = planAll(affected ?? testFiles(), engine);
  if (affected || isRecording || words.includes("--all")) return { plan: all };
  const plan = planTurn(all, recorded);
  return { plan, leftOut: fileCount(all) - fileCount(plan) };
}

/** Prints which test files the changes since a revision can affect. @returns undefined if it may be any */
function affectedFiles(revision: string | undefined): readonly string[] | undefined {
  const { files, reason } = chooseChanged(revision);
  process.stdout.write(`${reason}\n`);
  for (const path of files ?? []) process.stdout.write(`  ${path}\n`);
  return files;
}

/** Runs all at once and reports each in order. @returns those that failed */
async function runChecks(all: readonly Check[]): Promise<Check[]> {
  const failed: Check[] = [];
  for (const { check, outcome } of all.map((check) => ({ check, outcome: run(check) }))) {
    process.stdout.write(`${check.name.padEnd(checkNameWidth)} `);
    const { isOk, seconds, output } = await outcome;
    process.stdout.write(`${isOk ? "ok" : "FAILED"}  ${seconds} s\n${isOk ? "" : `${output}\n`}`);
    if (!isOk) failed.push(check);
  }
  return failed;
}

async function run({ command }: Check) {
  const checkStartedAt = performance.now();
  const child = Bun.spawn([...command], { stdout: "pipe", stderr: "pipe" });
  const output = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { isOk: (await child.exited) === 0, seconds: secondsSince(checkStartedAt), output: output.join("") };
}

async function passesTests(): Promise<boolean> {
  const parts = partsOf(plan, recorded);
  const server = parts.some(({ engine }) => engine === "postgres") ? await findServer() : undefined;
  try {
    const titles = {
      PostgreSQL: server?.version ?? "",
      SQLite: sqliteVersion(),
      "One engine": "One engine",
    };
    const results = await runAll(parts, titles, { ...program, ...cases, ...server?.environment });
    if (isRecording) record(results);
    return report(results, titles);
  } catch (error) {
    process.stdout.write(`\n${error instanceof Error ? error.message : error}\n`);
    return false;
  } finally {
    await server?.stop();
  }
}

/** Runs several parts at once. @returns the results in the order of the parts */
async function runAll(
  parts: readonly Part[],
  titles: Titles,
  environment: Readonly<Record<string, string>>,
): Promise<[Part, Result][]> {
  const results: [Part, Result][] = [];
  const screen = new Screen();
  const waiting = [...parts.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, part] = next;
      const print = (text: string) => screen.print(index, text);
      print(`\nTests on ${titles[part.group]}, ${part.name}, Bun ${Bun.version}\n`);
      results[index] = [part, await runPart(part, environment, print, runners)];
      screen.end(index);
    }
  };
  await Promise.all(Array.from({ length: partsAtOnce }, work));
  return results;
}

/** Prints why tests failed, the slowest files, and the counts of each group and of all. @returns whether nothing failed */
function report(results: Results, titles: Titles): boolean {
  process.stdout.write(
    `${failuresText(results, titles)}${slowestText(results, titles)}\n${groupsText(results, titles)}`,
  );
  if (failedChecks.length > 0)
    process.stdout.write(`Failed checks: ${failedChecks.map(({ name }) => name).join(", ")}\n`);
  if (leftOut !== undefined)
    process.stdout.write(`${leftOut} long test files wait for another run; npm test -- --all runs all of them\n`);
  process.stdout.write(`${countsText(results)}, in ${secondsSince(startedAt)} s\n`);
  return sumOf(results, "failed") === 0;
}

/** Omits short files, which make no difference to a part. */
function record(results: Results): void {
  const of = (engine: Engine) => {
    const took = results
      .filter(([part]) => part.engine === engine)
      .flatMap(([, result]) => Object.entries(result.seconds));
    const long = took.filter(([, seconds]) => seconds >= secondsRecordedMin).sort();
    return Object.fromEntries(long.map(([path, seconds]) => [path, Math.round(seconds * 10) / 10]));
  };
  const seconds: Seconds = { postgres: of("postgres"), sqlite: of("sqlite") };
  writeFileSync(secondsPath, `${JSON.stringify(seconds, null, 2)}\n`);
}

function secondsSince(moment: number): number {
  return Math.round((performance.now() - moment) / 100) / 10;
}

function sqliteVersion(): string {
  const connection = new Database(":memory:");
  const row = connection.query<{ version: string }, []>("select sqlite_version() as version").get();
  connection.close();
  return `SQLite ${row?.version}`;
}

/** The PostgreSQL that TEST_DATABASE_URL names, or a new one that ends with this process, however it ends. */
async function findServer() {
  const named = process.env.TEST_DATABASE_URL;
  const started = named ? undefined : await startPostgres(postgresSettings);
  const url = named || started?.url || "";
  return {
    version: await postgresVersion(url),
    environment: { TEST_DATABASE_URL: url, ...(started && { TEST_DATABASE_DISPOSABLE: "yes" }) },
    stop: async () => started?.stop(),
  };
}

async function postgresVersion(url: string): Promise<string> {
  const connection = new SQL(url, { max: 1 });
  try {
    const [row] = await connection`show server_version`;
    return `PostgreSQL ${row.server_version}`;
  } catch (cause) {
    throw new Error(`no PostgreSQL answers at TEST_DATABASE_URL: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  } finally {
    await connection.close();
  }
}
