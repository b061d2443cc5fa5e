// Runs everything that must hold, the tests on each engine, and says at the end how many tests passed and failed.
// `npm test` runs all of it; `npm test -- test/matrix.test.ts` only these test files, without the checks before them.
// TEST_ENGINE=sqlite or postgres runs them on that engine alone; TEST_DATABASE_URL names a PostgreSQL to be used instead of a new one.
import { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { type PostgresServer, startPostgres } from "../test/support/postgres-server.ts";

interface Check {
  readonly name: string;
  readonly command: readonly string[];
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface Run extends Counts {
  /** The engine with its version. */
  readonly engine: string;
  readonly seconds: number;
}

const bun = process.execPath;
const checks: readonly Check[] = [
  { name: "format and lint", command: ["node_modules/.bin/biome", "check", "--error-on-warnings", "."] },
  { name: "types", command: ["node_modules/.bin/tsc", "--project", "."] },
  { name: "generated files", command: [bun, "scripts/generate.ts", "--check"] },
];
const testTimeoutMilliseconds = 60_000;
const exitInterrupted = 130;

const runners = new Set<Bun.Subprocess>();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    for (const runner of runners) runner.kill();
    process.exit(exitInterrupted);
  });

const files = process.argv.slice(2);
const wanted = process.env.TEST_ENGINE || undefined;
const failedChecks = files.length > 0 ? [] : checks.filter((check) => !passes(check));
const { pages, others } = files.length > 0 ? { pages: [], others: files } : apart(allTests());
// All at once: each of them waits a good part of its time, for a disk, a process or a browser. What the later ones say is shown after the first.
const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
const isWanted = (engine: string) => wanted === undefined || wanted === engine;
const runs = await Promise.all([
  (isWanted("sqlite") ? runOnSqlite(sqliteVersion(), others, Promise.resolve()) : done()).finally(first.resolve),
  (isWanted("postgres") ? runOnPostgres(first.promise) : done()).finally(second.resolve),
  isWanted("sqlite") && pages.length > 0 ? runOnSqlite("Pages in a browser", pages, second.promise) : undefined,
]);
const isGood = tell(
  runs.filter((run) => run !== undefined),
  failedChecks,
);
process.exit(isGood ? 0 : 1);

function passes({ name, command }: Check): boolean {
  const startedAt = performance.now();
  process.stdout.write(`${name.padEnd(16)} `);
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { stdout: "pipe", stderr: "pipe" });
  process.stdout.write(`${exitCode === 0 ? "ok" : "FAILED"}  ${secondsSince(startedAt)} s\n`);
  if (exitCode !== 0) process.stdout.write(`${stdout}${stderr}\n`);
  return exitCode === 0;
}

function allTests(): string[] {
  return [...new Bun.Glob("test/**/*.test.ts").scanSync(join(import.meta.dir, ".."))].sort();
}

/** Tests of pages run once, whatever the engine: they say so by what they import. */
function apart(tests: readonly string[]): { pages: string[]; others: string[] } {
  const isOfPages = (path: string) =>
    readFileSync(join(import.meta.dir, "..", path), "utf8").includes('from "./support/pages.ts"');
  return { pages: tests.filter(isOfPages), others: tests.filter((path) => !isOfPages(path)) };
}

async function done(): Promise<undefined> {
  return undefined;
}

function runOnSqlite(title: string, tests: readonly string[], turn: Promise<void>): Promise<Run> {
  return runTests(title, { TEST_ENGINE: "sqlite" }, tests, turn);
}

/** On the PostgreSQL that was named, or on a new one. It ends with this process, however that ends. */
async function runOnPostgres(turn: Promise<void>): Promise<Run> {
  const startedAt = performance.now();
  let server: PostgresServer | undefined;
  try {
    server = process.env.TEST_DATABASE_URL ? undefined : await startPostgres();
    const url = server?.url ?? process.env.TEST_DATABASE_URL ?? "";
    const environment = {
      TEST_ENGINE: "postgres",
      TEST_DATABASE_URL: url,
      ...(server && { TEST_DATABASE_DISPOSABLE: "yes" }),
    };
    return await runTests(await postgresVersion(url), environment, others, turn);
  } catch (error) {
    await turn;
    process.stdout.write(`\n${error instanceof Error ? error.message : error}\n`);
    return { engine: "PostgreSQL", passed: 0, failed: 1, skipped: 0, seconds: secondsSince(startedAt) };
  } finally {
    await server?.stop();
  }
}

/** @param turn when what the tests say may be shown; until then it is kept */
async function runTests(
  engine: string,
  environment: Readonly<Record<string, string>>,
  tests: readonly string[],
  turn: Promise<void>,
): Promise<Run> {
  const startedAt = performance.now();
  const runner = Bun.spawn([bun, "test", "--timeout", String(testTimeoutMilliseconds), ...tests], {
    env: { ...process.env, ...environment },
    stdout: "pipe",
    stderr: "pipe",
  });
  runners.add(runner);
  let kept: string[] | undefined = [`\nTests on ${engine}, Bun ${Bun.version}\n`];
  const show = (text: string) => (kept ? kept.push(text) : process.stdout.write(text));
  void turn.then(() => {
    for (const text of kept ?? []) process.stdout.write(text);
    kept = undefined;
  });
  const [, output] = await Promise.all([readAll(runner.stdout, show), readAll(runner.stderr, show)]);
  const exitCode = await runner.exited;
  const seconds = secondsSince(startedAt);
  runners.delete(runner);
  await turn;
  return { engine, ...countsOf(output, exitCode), seconds };
}

async function readAll(stream: ReadableStream<Uint8Array>, show: (text: string) => void): Promise<string> {
  const decoder = new TextDecoder();
  let output = "";
  for await (const chunk of stream) {
    const text = decoder.decode(chunk, { stream: true });
    output += text;
    show(text);
  }
  return output;
}

function countsOf(output: string, exitCode: number): Counts {
  /** The number that the test runner gives in its closing lines, as in ` 12 pass`. */
  const counted = (word: string): number =>
    Number([...output.matchAll(new RegExp(`^\\s*(\\d+) ${word}\\s*$`, "gm"))].at(-1)?.[1] ?? 0);
  const passed = counted("pass");
  const skipped = counted("skip");
  // A runner that ended badly without naming a failed test still failed.
  const failed = Math.max(counted("fail"), exitCode === 0 && passed + skipped > 0 ? 0 : 1);
  return { passed, failed, skipped };
}

/** The numbers of each engine, then of all. @returns whether nothing failed */
function tell(all: readonly Run[], failedOnes: readonly Check[]): boolean {
  const sum = (count: keyof Counts) => all.reduce((total, run) => total + run[count], 0);
  const failed = sum("failed") + failedOnes.length;
  process.stdout.write("\n");
  for (const run of all) process.stdout.write(`${run.engine.padEnd(18)} ${inWords(run)}  ${run.seconds} s\n`);
  if (failedOnes.length > 0) process.stdout.write(`Failed checks: ${failedOnes.map(({ name }) => name).join(", ")}\n`);
  process.stdout.write(`${inWords({ passed: sum("passed"), failed, skipped: sum("skipped") })}\n`);
  return failed === 0;
}

function inWords({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 100) / 10;
}

function sqliteVersion(): string {
  const connection = new Database(":memory:");
  const row = connection.query<{ version: string }, []>("select sqlite_version() as version").get();
  connection.close();
  return `SQLite ${row?.version}`;
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
