// While the database is unavailable, every request and every job fails for the same reason: the log has the first failure with its cause,
// then one line a second with their number, and the end with the totals.
import { describeCause, type Log, type LogFields } from "../log.ts";
import { type Database, DatabaseTooSlow, DatabaseUnavailable } from "./database.ts";

const lineMilliseconds = 1_000;

/** How many failed. */
interface Failed {
  requests: number;
  jobs: number;
}

export class Outages {
  readonly #log: Log;
  readonly #database: Pick<Database, "ping">;
  readonly #lineMilliseconds: number;
  #startedAt = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #all: Failed = { requests: 0, jobs: 0 };
  #unwritten: Failed = { requests: 0, jobs: 0 };
  #latest = "";

  /** @param milliseconds between two lines; tests write more often */
  constructor(log: Log, database: Pick<Database, "ping">, milliseconds = lineMilliseconds) {
    this.#log = log;
    this.#database = database;
    this.#lineMilliseconds = milliseconds;
  }

  /**
   * Logs or counts a failure of the database.
   * @param fields with the `requestId`; without one, it is a job's
   * @returns false when the cause is something else
   */
  absorb(cause: unknown, fields: LogFields): boolean {
    if (!(cause instanceof DatabaseUnavailable) || cause instanceof DatabaseTooSlow) return false;
    const kind = "requestId" in fields ? "requests" : "jobs";
    this.#all[kind] += 1;
    if (this.#timer) {
      this.#unwritten[kind] += 1;
      this.#latest = cause.message;
      return true;
    }
    this.#startedAt = performance.now();
    this.#timer = setInterval(() => void this.#look(), this.#lineMilliseconds);
    this.#timer.unref();
    this.#log.write("error", "database unavailable", { ...fields, cause: describeCause(cause) });
    return true;
  }

  /** Writes what was counted. */
  stop(): void {
    clearInterval(this.#timer);
    if (this.#hasUnwritten()) this.#writeLine();
  }

  /** Tells of new failures. Without any, the outage is over as soon as the database responds. */
  async #look(): Promise<void> {
    if (this.#hasUnwritten()) return this.#writeLine();
    const timer = this.#timer;
    const responds = await this.#database.ping().then(
      () => true,
      () => false,
    );
    if (!responds || this.#hasUnwritten() || this.#timer !== timer) return;
    clearInterval(timer);
    this.#timer = undefined;
    this.#log.write("warn", "database available again", { durationSeconds: this.#seconds(), ...this.#all });
    this.#all = { requests: 0, jobs: 0 };
  }

  #writeLine(): void {
    this.#log.write("error", "database unavailable", {
      durationSeconds: this.#seconds(),
      ...this.#unwritten,
      cause: this.#latest,
    });
    this.#unwritten = { requests: 0, jobs: 0 };
  }

  #hasUnwritten(): boolean {
    return this.#unwritten.requests + this.#unwritten.jobs > 0;
  }

  #seconds(): number {
    return Math.round((performance.now() - this.#startedAt) / 100) / 10;
  }
}
