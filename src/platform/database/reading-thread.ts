// The thread that does long reads, so that other requests do not wait for them. Who may read, how many at a time, and in which order is
// decided by this thread (`Database.readLong`); what the other one cannot do is read here.
import { JsonText } from "../json-text.ts";
import type { Log } from "../log.ts";
import { DatabaseTooSlow } from "./database.ts";
import type { DatabaseLocation } from "./location.ts";
import type { LongReadOptions, LongResult } from "./long-read.ts";

/** What the thread opens. */
export interface ReadingSettings {
  readonly database: DatabaseLocation;
  /** To a database server. */
  readonly connections: number;
  /** Its time is the service's, not the database server's. */
  readonly hasClock: boolean;
}

export interface Task extends Omit<LongReadOptions, "reserve"> {
  /** Of the read. */
  readonly name: string;
  readonly input: unknown;
  /** The service's time, where the thread has no other. */
  readonly now: number | undefined;
}

export type ToThread =
  | { readonly settings: ReadingSettings }
  | { readonly id: number; readonly task: Task }
  | { readonly isEnd: true };

export type FromThread =
  | { readonly isReady: true }
  /** `data` and `others` are JSON, because texts move from thread to thread without being copied. */
  | { readonly id: number; readonly data: string | undefined; readonly bytes: number; readonly others: string }
  | { readonly id: number; readonly isTooSlow: boolean };

/** When the thread is started. Tests replace it. */
export interface ReadingPace {
  /** It takes memory, which a service that is hardly searched does not need. */
  readonly readsBeforeStart: number;
  /** How long after it ended. */
  readonly restartMilliseconds: number;
}

const usualPace: ReadingPace = { readsBeforeStart: 8, restartMilliseconds: 10_000 };
/** The thread ends a read that takes too long between two statements. One that takes longer itself is not waited for. */
const lateMilliseconds = 1_000;
const closeMilliseconds = 2_000;

interface Running {
  readonly resolve: (result: LongResult | undefined) => void;
  readonly reject: (reason: Error) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

export class ReadingThread {
  readonly settings: ReadingSettings;
  readonly #path: string;
  readonly #log: Log;
  readonly #pace: ReadingPace;
  readonly #running = new Map<number, Running>();
  #worker: Worker | undefined;
  #isReady = false;
  #isClosed = false;
  #reads = 0;
  #startsFrom = 0;
  #lastId = 0;

  /** @param path of a module that calls `serveReads` */
  constructor(path: string, settings: ReadingSettings, log: Log, pace = usualPace) {
    this.settings = settings;
    this.#path = path;
    this.#log = log;
    this.#pace = pace;
  }

  /** Reads that it does now. */
  get size(): number {
    return this.#running.size;
  }

  /**
   * @returns undefined where the caller has to read: the thread is not ready, or ended, or could not do it
   * @throws DatabaseTooSlow
   */
  async read<Result extends LongResult>(task: Task): Promise<Result | undefined> {
    this.#reads += 1;
    if (!this.#worker) this.#startWhenDue();
    if (!this.#worker || !this.#isReady) return undefined;
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<LongResult | undefined>();
    const timer = setTimeout(() => this.#end(id)?.reject(tooSlow()), task.milliseconds + lateMilliseconds);
    this.#running.set(id, { resolve, reject, timer });
    this.#send({ id, task });
    // The same read finds the same there.
    return promise as Promise<Result | undefined>;
  }

  /** Ends the thread, which does nothing any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    if (!worker) return;
    const ended = new Promise((resolve) => worker.addEventListener("close", resolve));
    this.#send({ isEnd: true });
    await Promise.race([ended, Bun.sleep(closeMilliseconds)]);
    worker.terminate();
  }

  #startWhenDue(): void {
    const isDue = this.#reads > this.#pace.readsBeforeStart && performance.now() >= this.#startsFrom;
    if (this.#isClosed || !isDue) return;
    const worker = new Worker(this.#path, { ref: false, name: "searches" });
    worker.addEventListener("message", ({ data }: MessageEvent<FromThread>) => this.#receive(data));
    worker.addEventListener("error", ({ message }) =>
      this.#log.write("error", "the search thread failed", { cause: message }),
    );
    worker.addEventListener("close", () => this.#ended());
    this.#worker = worker;
    this.#send({ settings: this.settings });
  }

  #send(message: ToThread): void {
    this.#worker?.postMessage(message);
  }

  #receive(message: FromThread): void {
    if ("isReady" in message) {
      this.#isReady = true;
      this.#log.write("debug", "searches have a thread of their own");
      return;
    }
    const running = this.#end(message.id);
    if ("isTooSlow" in message) {
      if (message.isTooSlow) running?.reject(tooSlow());
      else running?.resolve(undefined);
    } else {
      const { data, bytes, others } = message;
      running?.resolve({ ...JSON.parse(others), data: data === undefined ? data : new JsonText(data, bytes) });
    }
  }

  #ended(): void {
    this.#worker = undefined;
    this.#isReady = false;
    this.#startsFrom = performance.now() + this.#pace.restartMilliseconds;
    if (!this.#isClosed)
      this.#log.write("error", "the search thread ended; until it is started again, searches run in the main thread", {
        searches: this.#running.size,
      });
    for (const id of [...this.#running.keys()]) this.#end(id)?.resolve(undefined);
  }

  #end(id: number): Running | undefined {
    const running = this.#running.get(id);
    this.#running.delete(id);
    clearTimeout(running?.timer);
    return running;
  }
}

const tooSlow = (): Error => new DatabaseTooSlow("a read took too long");

/** Fewer are not divided. */
const undividedConnectionsMax = 4;
const connectionsOfThread = 2;

/** How many of the connections that a node may open are for the thread; 0 for none of so few. */
export const connectionsForReading = (connections: number): number =>
  Math.max(0, Math.min(connectionsOfThread, connections - undividedConnectionsMax));
