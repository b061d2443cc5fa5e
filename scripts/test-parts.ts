// Splits the test suite into parts that run at the same time, and runs and counts each part.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Engine = "sqlite" | "postgres";

/** The heading under which the counts of several parts are added up. */
export type Group = "PostgreSQL" | "SQLite" | "One engine";

/** Test files that one process runs after another. */
export interface Part {
  /** Such as `part 1 of 3`. */
  readonly name: string;
  readonly group: Group;
  readonly engine: Engine;
  readonly files: readonly string[];
  /** Its position in the order of the parts, from 0 to 1. */
  readonly place: number;
}

export interface Result {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What was printed about each failed test, preceded by its file. */
  readonly failures: readonly string[];
  /** The seconds that each file took, by path. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** Seconds of test files as they were recorded, by engine and path. */
export type Seconds = Readonly<Record<Engine, Readonly<Record<string, number>>>>;

/** Receives a part's output as it is printed. */
export type Show = (text: string) => void;

const root = join(import.meta.dir, "..");
/**
 * Saves a twentieth of the processor time, since each process runs for a minute and others use the other processors: memory is kept
 * instead of given back and taken again, one thread collects garbage, and nothing is compiled a last time.
 */
const runtimeSettings = { MIMALLOC_PURGE_DELAY: "-1", BUN_JSC_numberOfGCMarkers: "1", BUN_JSC_useFTLJIT: "0" };
const testTimeoutMilliseconds = 60_000;
/** Short enough that no part runs alone at the end for long, and long enough for its start, which takes a second. */
const partSeconds = 75;
/** The last part of each group is shorter, so that all processors have work until shortly before the end. */
const lastPartShare = 0.5;
/** Assumed for a file without a recorded time. */
const unknownSeconds = 1;

export const testFiles = (): string[] => [...new Bun.Glob("test/**/*.test.ts").scanSync(root)].sort();

/**
 * The parts, about equally long but for the last of each group. Those of each group are spread over the run: what waits for a disk runs
 * beside what needs a processor.
 * @param files those that run
 * @param seconds what each took the last time that it was recorded
 * @param onEveryEngine files that run on every engine, whatever they say
 * @param wanted this engine alone
 */
export function planParts(
  files: readonly string[],
  seconds: Seconds,
  { onEveryEngine = [], wanted }: { onEveryEngine?: readonly string[]; wanted?: string | undefined } = {},
): Part[] {
  const once = files.filter((path) => !onEveryEngine.includes(path) && runsOnce(path));
  const others = files.filter((path) => !once.includes(path));
  const parts = [
    ...split("PostgreSQL", "postgres", others, seconds),
    ...split("One engine", "sqlite", once, seconds),
    ...split("SQLite", "sqlite", others, seconds),
  ];
  return parts
    .filter(({ engine }) => wanted === undefined || wanted === engine)
    .sort((left, right) => left.place - right.place);
}

/** Whether the file imports `once.ts`: its subject does not depend on the engine. */
const runsOnce = (path: string): boolean =>
  /from "(\.\.?\/)+support\/pages\.ts"|^import "(\.\.?\/)+support\/once\.ts"/m.test(
    readFileSync(join(root, path), "utf8"),
  );

/** Assigns each file, the longest first, to the part with the least work for its share. */
function split(group: Group, engine: Engine, files: readonly string[], recorded: Seconds): Part[] {
  const secondsOf = (path: string): number => recorded[engine][path] ?? unknownSeconds;
  const total = files.reduce((sum, path) => sum + secondsOf(path), 0);
  const count = Math.ceil(total / partSeconds);
  const parts = Array.from({ length: count }, (_, index) => ({
    files: [] as string[],
    share: index > 0 && index === count - 1 ? lastPartShare : 1,
    seconds: 0,
  }));
  for (const path of [...files].sort((left, right) => secondsOf(right) - secondsOf(left))) {
    const least = parts.reduce((found, part) =>
      part.seconds / part.share < found.seconds / found.share ? part : found,
    );
    least.files.push(path);
    least.seconds += secondsOf(path);
  }
  return parts
    .filter((part) => part.files.length > 0)
    .map((part, index, { length }) => ({
      name: `part ${index + 1} of ${length}`,
      group,
      engine,
      files: part.files,
      place: (index + 0.5) / length,
    }));
}

/** Runs a part to its end. @param runners contains the process while it runs */
export async function runPart(
  { engine, files }: Part,
  environment: Readonly<Record<string, string>>,
  show: Show,
  runners: Set<Bun.Subprocess>,
): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), "commonplace-timings-"));
  const timings = join(directory, "timings.json");
  const words = ["--timeout", String(testTimeoutMilliseconds), `--timings=${timings}`, "--update-timings"];
  const runner = Bun.spawn([process.execPath, "test", ...words, ...files], {
    cwd: root,
    env: { ...runtimeSettings, ...process.env, ...environment, TEST_ENGINE: engine },
    stdout: "pipe",
    stderr: "pipe",
  });
  runners.add(runner);
  const [, output] = await Promise.all([readAll(runner.stdout, show), readAll(runner.stderr, show)]);
  const exitCode = await runner.exited;
  runners.delete(runner);
  const seconds = readTimings(timings);
  rmSync(directory, { recursive: true });
  return { ...resultOf(output, exitCode), seconds };
}

async function readAll(stream: ReadableStream<Uint8Array>, show: Show): Promise<string> {
  const decoder = new TextDecoder();
  let output = "";
  for await (const chunk of stream) {
    const text = decoder.decode(chunk, { stream: true });
    output += text;
    show(text);
  }
  return output;
}

/** The time that the test runner recorded for each file; empty if it ended early. */
function readTimings(path: string): Record<string, number> {
  try {
    const { files } = JSON.parse(readFileSync(path, "utf8")) as { files: Record<string, number> };
    return Object.fromEntries(Object.entries(files).map(([file, milliseconds]) => [file, milliseconds / 1_000]));
  } catch {
    return {};
  }
}

function resultOf(output: string, exitCode: number): Omit<Result, "seconds"> {
  /** The count in the test runner's summary, as in ` 12 pass`. */
  const counted = (word: string): number =>
    Number([...output.matchAll(new RegExp(`^\\s*(\\d+) ${word}\\s*$`, "gm"))].at(-1)?.[1] ?? 0);
  const passed = counted("pass");
  const skipped = counted("skip");
  // A runner that exited with an error without naming a failed test still failed.
  const failed = Math.max(counted("fail"), exitCode === 0 && passed + skipped > 0 ? 0 : 1);
  return { passed, failed, skipped, failures: failuresOf(output) };
}

/** The runner prints why a test failed before its name; the summary names all failed tests again. */
function failuresOf(output: string): string[] {
  const failures: string[] = [];
  let file = "";
  let said: string[] = [];
  for (const line of output.split("\n")) {
    if (/^\d+ tests? failed:$/.test(line)) break;
    said.push(line);
    if (/^test\/\S+\.test\.ts:$/.test(line)) file = line;
    else if (line.startsWith("(fail)")) failures.push([file, ...said].join("\n"));
    else if (!/^\((pass|skip|todo)\)/.test(line)) continue;
    said = [];
  }
  return failures;
}
