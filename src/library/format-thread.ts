// The thread that reads small files of formats, and writes the files of small teams. A process, which does the same for all others, would take
// a tenth of a second to start. What others wrote is never parsed by the thread that answers requests.
import type { Owner, QueueState } from "../platform/fair-queue.ts";
import type { Log } from "../platform/log.ts";
import { queueLimits } from "../platform/queue-limits.ts";
import { TaskThread, type TaskThreadSettings } from "../platform/task-thread.ts";
import type { OneFile } from "./export/one-file.ts";
import type { FormatId } from "./formats/format-ids.ts";
import type { ReadRequest, ReadResult } from "./formats/formats.ts";
import type { GivenFile } from "./formats/open-files.ts";
import { ReadError } from "./formats/read-error.ts";
import type { Place, Tree } from "./formats/tree.ts";

/** The first word that the thread gets where all threads have the same module. */
export const formatThreadName = "formats";

export type FormatThreadTask =
  | { readonly kind: "read"; readonly file: GivenFile; readonly request: ReadRequest }
  | { readonly kind: "write"; readonly format: FormatId; readonly tree: Tree };

export type FormatThreadAnswer =
  | { readonly kind: "read"; readonly result: ReadResult }
  | { readonly kind: "written"; readonly file: OneFile }
  /** Nothing of the file can be imported. */
  | { readonly kind: "refused"; readonly message: string; readonly place: Place | undefined }
  /** A defect. */
  | { readonly kind: "failed"; readonly cause: string };

/** A small file takes a few milliseconds, at worst a tenth of a second. */
const usualSettings: TaskThreadSettings = {
  name: "small_files",
  queue: queueLimits.smallFiles,
  waitMilliseconds: 2_000,
  taskMilliseconds: 1_000,
  idleMilliseconds: 60_000,
};

export class FormatThread {
  readonly #thread: TaskThread<FormatThreadTask, FormatThreadAnswer>;

  /** @param startWorker starts a thread that runs `serve-formats.ts` */
  constructor(startWorker: () => Worker, log?: Log, settings = usualSettings) {
    this.#thread = new TaskThread(settings, startWorker, log);
  }

  get state(): QueueState {
    return this.#thread.state;
  }

  /** @returns undefined if a process has to read the file. @throws ReadError where nothing of it can be imported */
  async read(owner: Owner, file: GivenFile, request: ReadRequest): Promise<ReadResult | undefined> {
    const answer = await this.#run(owner, { kind: "read", file, request });
    return answer?.kind === "read" ? answer.result : undefined;
  }

  /** @returns undefined if a process has to write the file */
  async write(owner: Owner, format: FormatId, tree: Tree): Promise<OneFile | undefined> {
    const answer = await this.#run(owner, { kind: "write", format, tree });
    return answer?.kind === "written" ? answer.file : undefined;
  }

  close(): void {
    this.#thread.close();
  }

  async #run(owner: Owner, task: FormatThreadTask): Promise<FormatThreadAnswer | undefined> {
    const answer = await this.#thread.run(owner, task);
    if (answer?.kind === "refused") throw new ReadError(answer.message, answer.place);
    if (answer?.kind === "failed") throw new Error(`the thread of formats failed: ${answer.cause}`);
    return answer;
  }
}
