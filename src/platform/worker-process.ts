// Work that may take all of a processor and much memory, in a process of its own: this program, called with a word that is no command. It
// gets its task on standard input, and is ended as soon as it exceeds a limit. What it does to itself harms nobody.
import { readFileSync, writeFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { resolve } from "node:path";
import { ownProgram } from "./own-program.ts";

export interface WorkerLimits {
  readonly seconds: number;
  /** Checked only on Linux, several times a second. */
  readonly memoryBytesMax: number;
  readonly outputBytesMax: number;
}

export type Exceeded = "seconds" | "memory" | "output";

/** The worker was ended, because it exceeded a limit. */
export class WorkerExceeded extends Error {
  override readonly name = "WorkerExceeded";
  constructor(readonly limit: Exceeded) {
    super(`a worker process exceeded its limit: ${limit}`);
  }
}

export interface WorkerOptions {
  /** An open file, which the worker has as `workerFile`. */
  readonly file?: number;
  /** By default, it knows no settings and no secrets. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** It is ended if it has written nothing by then. */
  readonly firstOutputSeconds?: number;
}

/** The file descriptor of `WorkerOptions.file` in the worker. */
export const workerFile = 3;

const checkMilliseconds = 50;
const inputPieceBytes = 256 * 1024;
const pageBytes = 4_096;

/**
 * Runs a worker, and takes what it writes as it writes it.
 * @param command the first word of the command line that makes `src/main.ts` this worker
 * @throws WorkerExceeded; an error with what it wrote to standard error where it failed otherwise
 */
export async function* runWorker(
  command: string,
  input: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  { seconds, memoryBytesMax, outputBytesMax }: WorkerLimits,
  { file, environment = {}, signal, firstOutputSeconds = seconds }: WorkerOptions = {},
): AsyncGenerator<Uint8Array, void> {
  const worker = Bun.spawn([...ownProgram(), command], {
    stdio: ["pipe", "pipe", "pipe", ...(file === undefined ? [] : [file])],
    env: { ...environment },
    cwd: "/",
  });
  let exceeded: Exceeded | undefined;
  const end = (limit?: Exceeded) => {
    exceeded ??= limit;
    worker.kill("SIGKILL");
  };
  const timer = setTimeout(() => end("seconds"), seconds * 1_000);
  const firstTimer = setTimeout(() => end("seconds"), firstOutputSeconds * 1_000);
  const check = setInterval(() => {
    if (memoryBytesOf(worker.pid) > memoryBytesMax) end("memory");
  }, checkMilliseconds);
  const abort = () => end();
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  // When it ends, not when its output was read: it may be ended before anyone has read all of it.
  void worker.exited.then(() => {
    clearTimeout(timer);
    clearTimeout(firstTimer);
    clearInterval(check);
    signal?.removeEventListener("abort", abort);
  });
  const errorOutput = new Response(worker.stderr).text();
  // A worker that ends early closes its input: then its end says more. Nor is the rest of the input waited for.
  void give(worker.stdin, input).catch(() => undefined);
  try {
    let bytes = 0;
    for await (const piece of worker.stdout) {
      clearTimeout(firstTimer);
      bytes += piece.length;
      if (bytes > outputBytesMax) end("output");
      if (exceeded) break;
      yield piece;
    }
    await worker.exited;
    if (exceeded) throw new WorkerExceeded(exceeded);
    if (worker.exitCode !== 0)
      throw new Error(`a worker process ended with ${worker.signalCode ?? worker.exitCode}: ${await errorOutput}`);
  } finally {
    end();
  }
}

/** In pieces, so that other work goes on between them. */
async function give(
  sink: Bun.FileSink,
  input: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  for await (const each of input) {
    const bytes = typeof each === "string" ? Buffer.from(each) : each;
    for (let start = 0; start < bytes.length; start += inputPieceBytes) {
      sink.write(bytes.subarray(start, start + inputPieceBytes));
      await sink.flush();
    }
  }
  await sink.end();
}

/** Those that can have a path, which may be relative. */
const pathVariable = /(?:FILE|DIR|CERTS?|KEY|CRL)$/;

/** What a worker needs of the environment to connect to a database server as the service does; it runs in another directory. */
export const databaseEnvironment = (environment = process.env): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && /^(?:PG[A-Z]+|SSL_CERT_(?:FILE|DIR)|NODE_EXTRA_CA_CERTS)$/.test(name)
        ? // PGSSLROOTCERT can name the certificates of the system instead of a file.
          [[name, pathVariable.test(name) && !/^(?:system)?$/.test(value) ? resolve(value) : value]]
        : [],
    ),
  );

function memoryBytesOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * pageBytes;
  } catch {
    // It has ended, or the system is another one.
    return 0;
  }
}

const stepsBelow = 5;
const lowestPriority = 19;

/** Called by a worker at its start: the service goes first, and where memory runs out, the system ends this process. */
export function yieldToService(): void {
  try {
    setPriority(Math.min(lowestPriority, getPriority() + stepsBelow));
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // If the system forbids it, or is another one, both have the same.
  }
}

/** The lines of what a worker writes, each as JSON. */
export async function* jsonLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, void> {
  let parts: Uint8Array[] = [];
  for await (const piece of pieces) {
    let start = 0;
    for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, start)) {
      yield JSON.parse(Buffer.concat([...parts, piece.subarray(start, at)]).toString());
      [parts, start] = [[], at + 1];
    }
    parts.push(piece.subarray(start));
  }
}

const newline = 10;
