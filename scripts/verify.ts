// Runs everything that must hold, the tests on each engine, and says at the end how many tests passed and failed, and why.
// `npm test` runs all of it; `npm test -- test/api/matrix.test.ts` only these test files, without the checks before them.
// TEST_ENGINE=sqlite or postgres runs them on that engine alone; TEST_DATABASE_URL names a PostgreSQL to be used instead of a new one.
import { Database } from "bun:sqlite";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { startPostgres } from "../test/support/postgres-server.ts";
import { type Group, type Part, planParts, type Result, runPart } from "./test-parts.ts";

interface Check {
  readonly name: string;
  readonly command: readonly string[];
}

const bun = process.execPath;
const checks: readonly Check[] = [
  { name: "format and lint", command: ["node_modules/.bin/biome", "check", "--error-on-warnings", "."] },
  { name: "types, service", command: ["node_modules/.bin/tsc", "--project", "."] },
  { name: "types, pages", command: ["node_modules/.bin/tsc", "--project", "web"] },
  { name: "types, tests", command: ["node_modules/.bin/tsc", "--project", "test"] },
  { name: "generated files", command: [bun, "scripts/generate.ts", "--check"] },
];
/** What the tests that need a process run, as operators do; it starts in a third of the time of its source. */
const executable: Check = { name: "executable", command: [bun, "scripts/build.ts"] };
const executablePath = join(import.meta.dir, "../dist/commonplace");
const exitInterrupted = 130;
/** One more than there are processors: each part waits a good part of its time, for a disk, a process or a browser. */
const partsAtOnce = availableParallelism() + 1;

/** Tests have hundreds of databases of their own: to look after each of them every minute takes a good part of the time. */
const postgresSettings = { autovacuum_naptime: "1h" };

const runners = new Set<Bun.Subprocess>();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    for (const runner of runners) runner.kill();
    process.exit(exitInterrupted);
  });

const startedAt = performance.now();
const files = process.argv.slice(2);
const failedChecks = files.length > 0 ? [] : await runChecks([...checks, executable]);
const program = files.length > 0 || failedChecks.includes(executable) ? {} : { TEST_PROGRAM: executablePath };
process.exit((await passesTests()) && failedChecks.length === 0 ? 0 : 1);

/** All at once; tells of each in their order. @returns those that failed */
async function runChecks(all: readonly Check[]): Promise<Check[]> {
  const failed: Check[] = [];
  for (const { check, outcome } of all.map((check) => ({ check, outcome: run(check) }))) {
    process.stdout.write(`${check.name.padEnd(16)} `);
    const { isWell, seconds, output } = await outcome;
    process.stdout.write(`${isWell ? "ok" : "FAILED"}  ${seconds} s\n${isWell ? "" : `${output}\n`}`);
    if (!isWell) failed.push(check);
  }
  return failed;
}

async function run({ command }: Check) {
  const checkStartedAt = performance.now();
  const child = Bun.spawn([...command], { stdout: "pipe", stderr: "pipe" });
  const output = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { isWell: (await child.exited) === 0, seconds: secondsSince(checkStartedAt), output: output.join("") };
}

async function passesTests(): Promise<boolean> {
  const parts = planParts(files, process.env.TEST_ENGINE || undefined);
  const server = parts.some(({ engine }) => engine === "postgres") ? await findServer() : undefined;
  try {
    const titles = {
      PostgreSQL: server?.version ?? "",
      SQLite: sqliteVersion(),
      "One engine": "On one engine",
    };
    return tell(await runAll(parts, titles, { ...program, ...server?.environment }), titles);
  } catch (error) {
    process.stdout.write(`\n${error instanceof Error ? error.message : error}\n`);
    return false;
  } finally {
    await server?.stop();
  }
}

type Titles = Readonly<Record<Group, string>>;

/** Several at once, the results in the order of the parts. */
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
      const say = (text: string) => screen.say(index, text);
      say(`\nTests on ${titles[part.group]}, ${part.name}, Bun ${Bun.version}\n`);
      results[index] = [part, await runPart(part, environment, say, runners)];
      screen.end(index);
    }
  };
  await Promise.all(Array.from({ length: partsAtOnce }, work));
  return results;
}

/** Shows what several say at once one after another: the first as it says it, each other when those before it have ended. */
class Screen {
  readonly #kept = new Map<number, string[]>();
  readonly #ended = new Set<number>();
  #shown = 0;

  say(index: number, text: string): void {
    if (index === this.#shown) process.stdout.write(text);
    else this.#kept.set(index, [...(this.#kept.get(index) ?? []), text]);
  }

  end(index: number): void {
    this.#ended.add(index);
    while (this.#ended.has(this.#shown)) {
      this.#shown += 1;
      for (const text of this.#kept.get(this.#shown) ?? []) process.stdout.write(text);
      this.#kept.delete(this.#shown);
    }
  }
}

/** Why tests failed, then the numbers of each group, then of all. @returns whether nothing failed */
function tell(results: readonly (readonly [Part, Result])[], titles: Titles): boolean {
  const sum = (count: "passed" | "failed" | "skipped", of = results): number =>
    of.reduce((total, [, result]) => total + result[count], 0);
  const inWords = (of = results): string => {
    const skipped = sum("skipped", of);
    return `${sum("passed", of)} passed, ${sum("failed", of)} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  };
  for (const [part, { failures }] of results)
    for (const failure of failures) process.stdout.write(`\nOn ${titles[part.group]}: ${failure}\n`);
  process.stdout.write("\n");
  for (const [group, title] of Object.entries(titles)) {
    const ofGroup = results.filter(([part]) => part.group === group);
    if (ofGroup.length > 0) process.stdout.write(`${title.padEnd(18)} ${inWords(ofGroup)}\n`);
  }
  if (failedChecks.length > 0)
    process.stdout.write(`Failed checks: ${failedChecks.map(({ name }) => name).join(", ")}\n`);
  process.stdout.write(`${inWords()}, in ${secondsSince(startedAt)} s\n`);
  return sum("failed") === 0;
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

/** The PostgreSQL that was named, or a new one, which ends with this process, however that ends. */
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
