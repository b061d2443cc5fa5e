// Copying and checking many gigabytes blocks a process for minutes, so a process of its own does it: this program, called with a word
// that is no command. It reports in lines of JSON on standard output.
import { writeSync } from "node:fs";
import { setPriority } from "node:os";
import type { BackupEncryption } from "../../config.ts";
import { Interrupted, isForOperator, OperatorError } from "../../platform/operator-error.ts";
import { ownProgram } from "../../platform/own-program.ts";
import type { BackupKey } from "./encryption.ts";
import { removePartial } from "./partial.ts";
import type { CopyReport, Phase, Step } from "./progress.ts";

/** The first word of the command line that makes `src/main.ts` a worker. */
export const workerCommand = "backup-worker";

export type Task = {
  readonly from: string;
  /** Path of the new file. The parent moves it to its final path, or removes it. */
  readonly partial: string;
} & (
  | {
      readonly kind: "make";
      readonly encryption: BackupEncryption | undefined;
      /** Path of the copy before it is encrypted. The parent removes it. */
      readonly plain: string;
    }
  | { readonly kind: "restore"; readonly key: BackupKey | undefined }
);

type Message = { readonly step: Step } | { readonly report: CopyReport } | { readonly failure: string };

/** Carries out the task in a worker. @throws OperatorError that says why it could not be done */
export async function startBackupWorker(
  task: Task,
  onStep: (step: Step) => void,
  signal: AbortSignal,
): Promise<CopyReport> {
  const worker = Bun.spawn([...ownProgram(), workerCommand, JSON.stringify(task)], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    // Ctrl-C reaches only the parent, which ends the worker and removes its file.
    detached: true,
    signal,
    killSignal: "SIGKILL",
  });
  const errorOutput = new Response(worker.stderr).text();
  let last: Message | undefined;
  for await (const message of readMessages(worker.stdout)) {
    last = message;
    if ("step" in message) onStep(message.step);
  }
  await worker.exited;
  if (signal.aborted) throw new Interrupted("interrupted. No files were left behind");
  if (last && "report" in last) return last.report;
  if (last && "failure" in last) throw new OperatorError(last.failure);
  throw new Error(`the copy process ended with ${worker.signalCode ?? worker.exitCode}: ${await errorOutput}`);
}

async function* readMessages(stream: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    // `send` below wrote them, in the same version of the program.
    for (const line of lines) yield JSON.parse(line) as Message;
  }
}

const reportEveryMilliseconds = 100;
const lowestPriority = 19;

/** The worker itself. @param argument a `Task` as JSON, from `startBackupWorker` */
export async function runBackupWorker(argument: string | undefined): Promise<void> {
  const task = JSON.parse(argument ?? "") as Task;
  try {
    lowerPriority();
    const { copyDatabase, restoreDatabase } = await import("./copy.ts");
    const onStep = throttledSteps();
    const report = task.kind === "make" ? await copyDatabase(task, onStep) : await restoreDatabase(task, onStep);
    send({ report });
  } catch (error) {
    removePartial(task.partial);
    if (task.kind === "make") removePartial(task.plain);
    const failure = messageForOperator(error);
    // Anything else is a defect: its stack goes to standard error, where the parent reads it.
    if (failure === undefined) throw error;
    send({ failure });
    process.exit(1);
  }
}

/** Calls of the service take precedence. */
function lowerPriority(): void {
  try {
    setPriority(lowestPriority);
  } catch {
    // If the system forbids it, the copy is made at normal priority.
  }
}

/** What an operator can act on, errors of SQLite included. Undefined for a defect. */
function messageForOperator(error: unknown): string | undefined {
  if (error instanceof OperatorError) return error.message;
  if (!(error instanceof Error)) return undefined;
  return isForOperator(error) || "errstr" in error ? `the copy failed: ${error.message}` : undefined;
}

/** Writes at once, so that a worker whose parent has ended fails here. */
const send = (message: Message): void => void writeSync(1, `${JSON.stringify(message)}\n`);

/** Sends the first step of each phase, and then a few a second. */
function throttledSteps(): (step: Step) => void {
  let phase: Phase | undefined;
  let sentAt = 0;
  return (step) => {
    const now = performance.now();
    if (step.phase === phase && now - sentAt < reportEveryMilliseconds) return;
    [phase, sentAt] = [step.phase, now];
    send({ step });
  };
}
