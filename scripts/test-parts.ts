// The whole suite in parts that run at the same time: which files each has, on which engine, and how one is run and counted.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export type Engine = "sqlite" | "postgres";

/** Under which the numbers of several parts are told together. */
export type Group = "PostgreSQL" | "SQLite" | "One engine";

/** Test files that one process runs after another. */
export interface Part {
  /** Such as `part 1 of 3`. */
  readonly name: string;
  readonly group: Group;
  readonly engine: Engine;
  readonly files: readonly string[];
}

export interface Result {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What was said of each test that failed, its file before it. */
  readonly failures: readonly string[];
}

/** Takes what a part says, as it says it. */
export type Show = (text: string) => void;

const root = join(import.meta.dir, "..");
const testTimeoutMilliseconds = 60_000;
/** So many that the last of them do not run alone for long, and so few that each has its start worth while. */
const partsOf: Readonly<Record<Group, number>> = { PostgreSQL: 4, SQLite: 3, "One engine": 3 };

/**
 * The parts, the longest first.
 * @param files only these, on every engine; without any, all there are
 * @param wanted this engine alone
 */
export function planParts(files: readonly string[], wanted: string | undefined): Part[] {
  const all = [...new Bun.Glob("test/**/*.test.ts").scanSync(root)].sort();
  const once = files.length > 0 ? [] : all.filter(runsOnce);
  const others = files.length > 0 ? files : all.filter((path) => !once.includes(path));
  const parts = [
    ...split("PostgreSQL", "postgres", others),
    ...split("One engine", "sqlite", once),
    ...split("SQLite", "sqlite", others),
  ];
  return parts.filter(({ engine }) => wanted === undefined || wanted === engine);
}

/** Whether the file says so, by what it imports: its subject is the same on every engine. */
const runsOnce = (path: string): boolean =>
  /from "(\.\.?\/)+support\/pages\.ts"|^import "(\.\.?\/)+support\/once\.ts"/m.test(
    readFileSync(join(root, path), "utf8"),
  );

/** Every so-manieth file, so that neighbours, which are alike in length, are apart. */
function split(group: Group, engine: Engine, files: readonly string[]): Part[] {
  const count = Math.min(partsOf[group], files.length);
  return Array.from({ length: count }, (_, part) => ({
    ...{ group, engine, name: `part ${part + 1} of ${count}` },
    files: files.filter((_, index) => index % count === part),
  }));
}

/** Runs a part to its end. @param runners where the process is found while it runs */
export async function runPart(
  { engine, files }: Part,
  environment: Readonly<Record<string, string>>,
  show: Show,
  runners: Set<Bun.Subprocess>,
): Promise<Result> {
  const runner = Bun.spawn([process.execPath, "test", "--timeout", String(testTimeoutMilliseconds), ...files], {
    cwd: root,
    env: { ...process.env, ...environment, TEST_ENGINE: engine },
    stdout: "pipe",
    stderr: "pipe",
  });
  runners.add(runner);
  const [, output] = await Promise.all([readAll(runner.stdout, show), readAll(runner.stderr, show)]);
  const exitCode = await runner.exited;
  runners.delete(runner);
  return resultOf(output, exitCode);
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

function resultOf(output: string, exitCode: number): Result {
  /** The number that the test runner gives in its closing lines, as in ` 12 pass`. */
  const counted = (word: string): number =>
    Number([...output.matchAll(new RegExp(`^\\s*(\\d+) ${word}\\s*$`, "gm"))].at(-1)?.[1] ?? 0);
  const passed = counted("pass");
  const skipped = counted("skip");
  // A runner that ended badly without naming a failed test still failed.
  const failed = Math.max(counted("fail"), exitCode === 0 && passed + skipped > 0 ? 0 : 1);
  return { passed, failed, skipped, failures: failuresOf(output) };
}

/** The runner says why a test failed before it names it; its closing lines name them all again. */
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
