// A thread for short work that must not keep requests waiting, however long it takes: it does one task at a time, in fair turns. A task that
// takes too long ends with its thread, and the next task starts another one. A thread without work ends, too, which frees its memory.
import type { Owner, QueueLimits, QueueState } from "./fair-queue.ts";
import { FairSlots } from "./fair-slots.ts";
import type { Log } from "./log.ts";

export interface TaskThreadSettings {
  readonly name: string;
  readonly queue: QueueLimits;
  /** How long a task waits for its turn, and how long it may take. */
  readonly waitMilliseconds: number;
  readonly taskMilliseconds: number;
  readonly idleMilliseconds: number;
}

/** The first message of a thread; its other messages are answers. */
export const threadIsReady = "ready";

interface Started {
  readonly worker: Worker;
  /** False if it has failed. */
  readonly isReady: Promise<boolean>;
}

export class TaskThread<Task, Answer> {
  readonly #settings: TaskThreadSettings;
  readonly #startWorker: () => Worker;
  readonly #log: Log | undefined;
  readonly #slots: FairSlots;
  #started: Started | undefined;
  #answered: ((answer: Answer | undefined) => void) | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /** @param startWorker starts a thread whose module calls `serveTasks`; an unexpected end of it is written to the log */
  constructor(settings: TaskThreadSettings, startWorker: () => Worker, log?: Log) {
    this.#settings = settings;
    this.#startWorker = startWorker;
    this.#log = log;
    this.#slots = new FairSlots(settings.name, 1, settings.queue);
  }

  get state(): QueueState {
    return this.#slots.state;
  }

  /** @returns undefined where the thread cannot do it: too much waits for it, the task takes too long, or the thread has failed */
  async run(owner: Owner, task: Task): Promise<Answer | undefined> {
    const release = await this.#slots.acquire(owner, this.#settings.waitMilliseconds);
    if (typeof release === "string") return undefined;
    clearTimeout(this.#idle);
    try {
      return await this.#do(task);
    } finally {
      release();
      if (this.#slots.taken === 0) this.#idle = setTimeout(() => this.#end(), this.#settings.idleMilliseconds).unref();
    }
  }

  /** Ends the thread. What it does and what waits for it is not done. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    this.#end();
  }

  async #do(task: Task): Promise<Answer | undefined> {
    if (this.#isClosed) return undefined;
    this.#started ??= this.#start();
    const { worker, isReady } = this.#started;
    if (!(await isReady)) return undefined;
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
    this.#answered = resolve;
    const timer = setTimeout(() => this.#end(), this.#settings.taskMilliseconds);
    worker.postMessage(task);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#answered = undefined;
    }
  }

  #start(): Started {
    const worker = this.#startWorker();
    const { promise: isReady, resolve } = Promise.withResolvers<boolean>();
    worker.addEventListener("message", ({ data }: MessageEvent<Answer | typeof threadIsReady>) => {
      if (data !== threadIsReady) return this.#answered?.(data);
      this.#log?.write("debug", "a thread started", { thread: this.#settings.name });
      resolve(true);
    });
    const onEnd = (cause?: string) => {
      resolve(false);
      if (this.#started?.worker !== worker) return;
      this.#log?.write("error", "a thread ended", { thread: this.#settings.name, cause });
      this.#end();
    };
    worker.addEventListener("error", ({ message }) => onEnd(message));
    worker.addEventListener("close", () => onEnd());
    return { worker, isReady };
  }

  #end(): void {
    const worker = this.#started?.worker;
    this.#started = undefined;
    worker?.terminate();
    this.#answered?.(undefined);
  }
}
