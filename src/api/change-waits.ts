// Requests that wait for changes. While they wait, they hold no connection to the database, no transaction, and no turn: one statement a second
// asks for all of them whether there is something new, and what this process commits is looked for at once.
import type { OperationName } from "../contract/operations.ts";
import type { Caller } from "../library/call.ts";
import type { LibraryChanges } from "../library/changes.ts";
import { listNewestNumbers } from "../library/feed/feed.store.ts";
import { type FeedPosition, feedList, readFeed, readPosition } from "../library/feed/read.ts";
import type { Database } from "../platform/database/database.ts";
import type { Demand } from "../platform/demand.ts";
import type { ReportFailure } from "../platform/http/failure.ts";
import type { ParsedInput } from "../platform/http/parse-input.ts";

const lookMilliseconds = 1_000;
/** Requests that wait at a time. Further ones are answered at once. */
const waitsMax = 1_000;
const waitsOfKeyMax = 20;

interface Waiting {
  readonly caller: Caller;
  readonly teamId: string | undefined;
  /** What comes before it does not concern the caller. */
  position: FeedPosition;
  readonly end: () => void;
}

interface Dependencies {
  readonly database: Database;
  readonly changes: LibraryChanges;
  readonly demand: Demand;
  readonly report: ReportFailure;
}

export class ChangeWaits {
  readonly #dependencies: Dependencies;
  readonly #waiting = new Set<Waiting>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #stopListening: (() => void) | undefined;
  #isLooking = false;
  #mustLookAgain = false;
  #isEnded = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Whether this request waits before it is carried out and charged. */
  static mayWait = (name: OperationName, { query }: ParsedInput): boolean =>
    name === "getChanges" && Number(query.wait) > 0 && query.since !== undefined;

  /** Resolves when there is a change for the caller, when the time is over, and when the request would be refused. */
  async wait(caller: Caller, { query }: ParsedInput): Promise<void> {
    const { demand } = this.#dependencies;
    const position = positionOf(caller, query);
    const own = [...this.#waiting].filter((waiting) => waiting.caller.id === caller.id);
    if (!position || this.#isEnded || this.#waiting.size >= waitsMax || own.length >= waitsOfKeyMax) return;
    // Somebody who waits asks nothing of the service.
    demand.end();
    try {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => waiting.end(), Number(query.wait) * 1_000);
        const waiting: Waiting = {
          caller,
          teamId: typeof query.teamId === "string" ? query.teamId : undefined,
          position,
          end: () => {
            clearTimeout(timer);
            this.#remove(waiting);
            resolve();
          },
        };
        this.#add(waiting);
      });
    } finally {
      demand.begin();
    }
  }

  /** Answers all requests that wait, because the service stops. */
  end(): void {
    this.#isEnded = true;
    for (const waiting of this.#waiting) waiting.end();
  }

  #add(waiting: Waiting): void {
    this.#waiting.add(waiting);
    this.#timer ??= setInterval(() => void this.#look(), lookMilliseconds);
    this.#stopListening ??= this.#dependencies.changes.listen(() => void this.#look());
    void this.#look();
  }

  #remove(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#stopListening?.();
    this.#timer = this.#stopListening = undefined;
  }

  /** One look at a time. What is committed meanwhile is looked for in the next one. */
  async #look(): Promise<void> {
    this.#mustLookAgain = this.#isLooking;
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.#endThoseWithChanges();
    } catch (error) {
      // The request itself says what is wrong with the database, when its time is over.
      this.#dependencies.report("", error);
    }
    this.#isLooking = false;
    if (this.#mustLookAgain) await this.#look();
  }

  async #endThoseWithChanges(): Promise<void> {
    const waiting = [...this.#waiting];
    if (waiting.length === 0) return;
    const workspaceIds = [...new Set(waiting.map(({ caller }) => caller.workspaceId))];
    await this.#dependencies.database.read(async (transaction) => {
      const newest = new Map(
        (await listNewestNumbers(transaction, workspaceIds)).map((row) => [row.workspace_id, row.changes]),
      );
      for (const one of waiting) {
        const { caller, teamId, position } = one;
        if ((newest.get(caller.workspaceId) ?? 0) + 1 === position[0]) continue;
        const page = await readFeed({ transaction, caller }, teamId, position, 1).catch(() => undefined);
        if (!page || page.changes.length > 0) one.end();
        else one.position = page.next;
      }
    });
  }
}

/** Undefined for a cursor that will be refused. */
function positionOf(caller: Caller, { since, teamId }: ParsedInput["query"]): FeedPosition | undefined {
  try {
    const list = feedList(caller, typeof teamId === "string" ? teamId : undefined);
    return readPosition(list, typeof since === "string" ? since : undefined);
  } catch {
    return undefined;
  }
}
