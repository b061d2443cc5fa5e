// Files of formats are read elsewhere than where requests are answered, so that a large or hostile one keeps nobody waiting: small ones in a
// thread, all others in processes, few at a time, one for each workspace, and each with limits. What a process read is kept for a while: a
// large import takes several requests, which all send the same file.
import { createHash } from "node:crypto";
import { errors } from "../../contract/errors.ts";
import { bytesPerMebibyte, limits } from "../../contract/limits.ts";
import { BrieflyKept } from "../../platform/briefly-kept.ts";
import type { Owner, QueueState } from "../../platform/fair-queue.ts";
import { FairSlots } from "../../platform/fair-slots.ts";
import { queueLimits } from "../../platform/queue-limits.ts";
import { jsonLines, runWorker, WorkerExceeded, type WorkerLimits } from "../../platform/worker-process.ts";
import type { FormatThread } from "../format-thread.ts";
import type { ReadRequest, ReadResult } from "../formats/formats.ts";
import { isZip } from "../formats/is-zip.ts";
import type { GivenFile } from "../formats/open-files.ts";
import { ReadError } from "../formats/read-error.ts";
import type { Place, Tree, TreeGroup, TreeSnippet, Warning } from "../formats/tree.ts";
import type { FormatTask, ReadLine } from "./format-worker.ts";
import { formatWorkerCommand } from "./format-worker-command.ts";

/** The thread reads no more. A zip of this size can be far more. */
const smallBytesMax = 4 * 1024;
const processesMax = 2;
const processesOfWorkspaceMax = 1;
/** How long a file waits for its turn. */
const waitMilliseconds = 15_000;
const retryAfterSeconds = 5;

export const formatProcessLimits: WorkerLimits = {
  seconds: 20,
  memoryBytesMax: 512 * bytesPerMebibyte,
  outputBytesMax: 2 * limits.responseBytesMax,
};

/** The bytes are those that the processes write: in memory, a result takes about twice as much. */
const keepingLimits = { bytesMax: 8 * bytesPerMebibyte, milliseconds: 60_000 };

const messages = {
  seconds: "The file takes too long to read. Import it in parts.",
  memory: "The file takes too much memory to read. Import it in parts.",
  output: "The file contains too much text. Import it in parts.",
} as const;

export class FormatProcesses {
  readonly #slots = new FairSlots("formats", processesMax, queueLimits.formats, processesOfWorkspaceMax);
  readonly #limits: WorkerLimits;
  readonly #kept = new BrieflyKept<ReadResult>(keepingLimits);

  readonly #thread: FormatThread | undefined;

  /** @param thread reads small files; without it, processes read all */
  constructor(given = formatProcessLimits, thread?: FormatThread) {
    this.#limits = given;
    this.#thread = thread;
  }

  get state(): QueueState {
    return this.#slots.state;
  }

  /** @throws ReadError where nothing of the file can be imported; Refusal 503 where too many are being read */
  async read(owner: Owner, { path, bytes }: GivenFile, request: ReadRequest): Promise<ReadResult> {
    const isSmall = bytes.length <= smallBytesMax && !isZip(bytes);
    const read = isSmall ? await this.#thread?.read(owner, { path, bytes }, request) : undefined;
    if (read) return read;
    const { workspace } = owner;
    const identity = identityOf(owner, { path, bytes }, request);
    const kept = this.#kept.get(workspace, identity);
    if (kept) return kept;
    const task: FormatTask = { path, bytes: bytes.length, request };
    return this.#inTurn(owner, async () => {
      try {
        const worker = counted(runWorker(formatWorkerCommand, [line(task), bytes], this.#limits));
        const result = await collect(jsonLines(worker.pieces));
        this.#kept.set(workspace, identity, result, worker.bytes());
        return result;
      } catch (error) {
        if (error instanceof WorkerExceeded) throw new ReadError(messages[error.limit]);
        throw error;
      }
    });
  }

  async #inTurn<Result>(owner: Owner, work: () => Promise<Result>): Promise<Result> {
    const release = await this.#slots.acquire(owner, waitMilliseconds);
    if (typeof release === "string") throw errors.busy(retryAfterSeconds);
    try {
      return await work();
    } finally {
      release();
    }
  }
}

const line = (task: FormatTask): string => `${JSON.stringify(task)}\n`;

/** Another key or person has the file read again: how long that takes must not tell who has imported it. */
const identityOf = ({ workspace, key }: Owner, { path, bytes }: GivenFile, request: ReadRequest): string =>
  createHash("sha256")
    .update(`${JSON.stringify([workspace, key, path, request])}\n`)
    .update(bytes)
    .digest("base64");

function counted(pieces: AsyncIterable<Uint8Array>) {
  let bytes = 0;
  async function* count(): AsyncGenerator<Uint8Array, void> {
    for await (const piece of pieces) {
      bytes += piece.length;
      yield piece;
    }
  }
  return { pieces: count(), bytes: () => bytes };
}

async function collect(lines: AsyncIterable<unknown>): Promise<ReadResult> {
  const folders: TreeGroup[] = [];
  const tags: TreeGroup[] = [];
  const snippets: TreeSnippet[] = [];
  const places: Place[] = [];
  const problems: Warning[] = [];
  const warnings: Warning[] = [];
  const lists = { folders, tags, snippets, places, problems, warnings };
  // The worker, which is the same version of this program, wrote them.
  for await (const each of lines as AsyncIterable<ReadLine>) {
    if (each.kind === "failure") throw new ReadError(each.message, each.place);
    if (each.kind === "end") {
      const tree: Tree = { folders, tags, snippets };
      return { format: each.format, table: each.table, tree, places, problems, warnings };
    }
    for (const item of each.items) (lists[each.kind] as unknown[]).push(item);
  }
  throw new Error("a worker process ended without a result");
}
