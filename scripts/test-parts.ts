// Runs a part of the tests in a process of its own, and counts what passed and failed.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Part } from "./test-plan.ts";

export interface Result {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What was printed about each failed test, preceded by its file. */
  readonly failures: readonly string[];
  /** The seconds that each file took, by path. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** Receives a part's output as it is printed. */
export type Show = (text: string) => void;

const root = join(import.meta.dir, "..");
/**
 * Saves a twentieth of the processor time, since each process runs for a minute and others use the other processors: memory is kept
 * instead of given back and taken again, one thread collects garbage, and nothing is compiled a last time.
 */
const runtimeSettings = { MIMALLOC_PURGE_DELAY: "-1", BUN_JSC_numberOfGCMarkers: "1", BUN_JSC_useFTLJIT: "0" };
/** Ends a test that hangs. Several times what the slowest takes, so that none fails on a busy machine. */
const testTimeoutMilliseconds = 180_000;
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
