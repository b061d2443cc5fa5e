// Copying and checking many gigabytes takes minutes in which a process answers nobody, so it is done in a process of its own: the
// program itself, called with a word that is no command. It tells how far it is in lines of JSON on standard output.
import { writeSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { OperatorError } from "../../platform/operator-error.ts";
import type { Seal } from "./checksum-trailer.ts";
import type { Contents } from "./contents.ts";
import { removePartial } from "./partial.ts";

/** What `src/main.ts` knows the child by. */
export const childWord = "backup-child";

export interface Task {
  readonly kind: "make" | "restore";
  readonly from: string;
  /** The file that is made. Whoever gave the task brings it to its place, or removes it. */
  readonly partial: string;
}

export type Phase = "Copying" | "Sealing" | "Checking";

/** The check is one statement of SQLite's, during which nothing can be told: it has no bytes. */
export interface Step {
  readonly phase: Phase;
  readonly done: number;
  readonly total: number;
}

export type Made = Contents & Seal;

type Line = { readonly step: Step } | { readonly made: Made } | { readonly failure: string };

/** Carries out the task in a child process. @throws OperatorError that says why it could not be done */
export async function runChild(task: Task, onStep: (step: Step) => void, signal: AbortSignal): Promise<Made> {
  const program = Bun.isStandaloneExecutable ? [] : [join(import.meta.dir, "../../main.ts")];
  const child = Bun.spawn([process.execPath, ...program, childWord, JSON.stringify(task)], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    // Ctrl-C is heard by the parent alone, which ends the child and clears up after it.
    detached: true,
    signal,
    killSignal: "SIGKILL",
  });
  const complaint = new Response(child.stderr).text();
  let last: Line | undefined;
  for await (const line of linesOf(child.stdout)) {
    last = line;
    if ("step" in line) onStep(line.step);
  }
  await child.exited;
  if (signal.aborted) throw new OperatorError("interrupted; nothing is left behind");
  if (last && "made" in last) return last.made;
  if (last && "failure" in last) throw new OperatorError(last.failure);
  throw new Error(`the process that copies ended with ${child.signalCode ?? child.exitCode}: ${await complaint}`);
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let waiting = "";
  for await (const chunk of stream) {
    const lines = (waiting + decoder.decode(chunk, { stream: true })).split("\n");
    waiting = lines.pop() ?? "";
    // Written by `tell` below, in the same version of the program.
    for (const line of lines) yield JSON.parse(line) as Line;
  }
}

const tellEveryMilliseconds = 100;
/** Calls go first. */
const lowestPriority = 19;

/** The child's side. */
export async function beChild(argument: string | undefined): Promise<void> {
  // Made by `runChild`.
  const task = JSON.parse(argument ?? "") as Task;
  try {
    stepBack();
    const { makeCopy, restoreCopy } = await import("./copy.ts");
    const work = task.kind === "make" ? makeCopy : restoreCopy;
    tell({ made: await work(task.from, task.partial, stepTeller()) });
  } catch (error) {
    removePartial(task.partial);
    const failure = failureOf(error);
    // Everything else is a defect, whose place in the code the parent reads from standard error.
    if (failure === undefined) throw error;
    tell({ failure });
    process.exit(1);
  }
}

function stepBack(): void {
  try {
    setPriority(lowestPriority);
  } catch {
    // Where the system forbids it, the copy is made all the same.
  }
}

/** What an operator can act on: a refusal, or what the system or SQLite said. */
function failureOf(error: unknown): string | undefined {
  if (error instanceof OperatorError) return error.message;
  const isOfSystem = error instanceof Error && ("syscall" in error || "errstr" in error);
  return isOfSystem ? `the copy could not be made: ${error.message}` : undefined;
}

/** Written at once: when the parent is gone, this is where the child notices, and fails. */
const tell = (line: Line): void => void writeSync(1, `${JSON.stringify(line)}\n`);

/** Tells the first step of each phase, and then a few a second. */
function stepTeller(): (step: Step) => void {
  let phase: Phase | undefined;
  let toldAt = 0;
  return (step) => {
    const now = performance.now();
    if (step.phase === phase && now - toldAt < tellEveryMilliseconds) return;
    [phase, toldAt] = [step.phase, now];
    tell({ step });
  };
}
