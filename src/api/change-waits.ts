// Requests that wait for changes. While they wait, they hold no connection to the database, no transaction, and no turn: one statement for all
// of them asks twice a second whether there is something new, and what this process commits is looked for at once.
import type { OperationName } from "../contract/operations.ts";
import { accessibleTeams, canAccess } from "../library/access.ts";
import type { Caller } from "../library/call.ts";
import type { LibraryChanges } from "../library/changes.ts";
import type { FeedCursors, FeedPosition } from "../library/feed/cursor.ts";
import { listNewestNumbers } from "../library/feed/feed.store.ts";
import { type FeedPage, readFeed } from "../library/feed/read.ts";
import type { Database, Transaction } from "../platform/database/database.ts";
import type { ParsedInput } from "../platform/http/parse-input.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";

const lookMilliseconds = 500;
/** Requests that wait at a time on this node. Further ones are answered at once. */
const waitsMax = { total: 5_000, workspace: 1_000, key: 20 };

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
  readonly feedCursors: FeedCursors;
}

export class ChangeWaits {
  readonly #dependencies: Dependencies;
  /** By workspace. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  #size = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #stopListening: (() => void) | undefined;
  /** Workspaces that may have something new. */
  #pending = new Set<string>();
  #isLooking = false;
  #isEnded = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Whether this request waits before it is carried out and charged. */
  static mayWait = (name: OperationName, { query }: ParsedInput): boolean =>
    name === "getChanges" && Number(query.waitSeconds) > 0 && query.cursor !== undefined;

  /**
   * Resolves when there is a change for the caller, when the time is over, and when the request would be refused.
   * @throws ClientLeft when the client does not wait any more
   */
  async wait(caller: Caller, { query }: ParsedInput, pause: IncomingRequest["pause"]): Promise<void> {
    const teamId = typeof query.teamId === "string" ? query.teamId : undefined;
    // What will be refused does not wait, so nobody notices what happens in a team of others.
    if (teamId !== undefined && !canAccess(caller, teamId)) return;
    const position = this.#positionOf(caller, teamId, query.cursor);
    if (!position || this.#isEnded || !this.#hasRoom(caller)) return;
    await pause(async (left) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiting: Waiting = { caller, teamId, position, end: resolve };
      const timer = setTimeout(resolve, Number(query.waitSeconds) * 1_000);
      left.addEventListener("abort", waiting.end);
      this.#add(waiting);
      try {
        if (!left.aborted) await promise;
      } finally {
        clearTimeout(timer);
        left.removeEventListener("abort", waiting.end);
        this.#remove(waiting);
      }
    });
  }

  /** Answers all requests that wait, because the service stops. */
  end(): void {
    this.#isEnded = true;
    for (const waiting of this.#waitingIn(this.#waiting.keys())) waiting.end();
  }

  #waitingIn(workspaceIds: Iterable<string>): Waiting[] {
    return [...workspaceIds].flatMap((id) => [...(this.#waiting.get(id) ?? [])]);
  }

  #hasRoom({ id, workspaceId }: Caller): boolean {
    const ofWorkspace = [...(this.#waiting.get(workspaceId) ?? [])];
    return (
      this.#size < waitsMax.total &&
      ofWorkspace.length < waitsMax.workspace &&
      ofWorkspace.filter(({ caller }) => caller.id === id).length < waitsMax.key
    );
  }

  #add(waiting: Waiting): void {
    const { workspaceId } = waiting.caller;
    const ofWorkspace = this.#waiting.get(workspaceId) ?? new Set();
    this.#waiting.set(workspaceId, ofWorkspace.add(waiting));
    this.#size += 1;
    this.#timer ??= setInterval(() => void this.#look(this.#waiting.keys()), lookMilliseconds);
    this.#stopListening ??= this.#dependencies.changes.listen((workspaceId) => {
      if (this.#waiting.has(workspaceId)) void this.#look([workspaceId]);
    });
    void this.#look([workspaceId]);
  }

  #remove(waiting: Waiting): void {
    const { workspaceId } = waiting.caller;
    const ofWorkspace = this.#waiting.get(workspaceId);
    ofWorkspace?.delete(waiting);
    if (ofWorkspace?.size === 0) this.#waiting.delete(workspaceId);
    this.#size -= 1;
    if (this.#size > 0) return;
    clearInterval(this.#timer);
    this.#stopListening?.();
    this.#timer = this.#stopListening = undefined;
  }

  /** One look at a time. What is committed meanwhile is looked for in the next one. */
  async #look(workspaceIds: Iterable<string>): Promise<void> {
    for (const id of workspaceIds) this.#pending.add(id);
    if (this.#isLooking) return;
    this.#isLooking = true;
    while (this.#pending.size > 0) {
      const ids = [...this.#pending];
      this.#pending.clear();
      const waiting = this.#waitingIn(ids);
      await this.#endThoseWithChanges(ids, waiting).catch(() => {
        // Each request says itself what is wrong with the database.
        for (const { end } of waiting) end();
      });
    }
    this.#isLooking = false;
  }

  async #endThoseWithChanges(workspaceIds: readonly string[], waiting: readonly Waiting[]): Promise<void> {
    if (waiting.length === 0) return;
    await this.#dependencies.database.read(async (transaction) => {
      const rows = await listNewestNumbers(transaction, workspaceIds);
      const newest = new Map(rows.map(({ workspace_id, changes }) => [workspace_id, changes]));
      // Those who follow with the same key usually wait for the same.
      const pages = new Map<string, Promise<FeedPage | undefined>>();
      for (const one of waiting) {
        const { caller, teamId, position } = one;
        if ((newest.get(caller.workspaceId) ?? 0) + 1 === position.number) continue;
        const like = `${caller.id} ${teamId} ${position.number} ${position.index}`;
        const reading = pages.get(like) ?? readFirst(transaction, one);
        pages.set(like, reading);
        const page = await reading;
        if (!page || page.changes.length > 0) one.end();
        else one.position = page.next;
      }
    });
  }

  /** Undefined for a cursor that will be refused. */
  #positionOf({ workspaceId }: Caller, teamId: string | undefined, cursor: unknown): FeedPosition | undefined {
    try {
      return this.#dependencies.feedCursors.read({ workspaceId, teamId }, String(cursor));
    } catch {
      return undefined;
    }
  }
}

/** The next change. Undefined for what will be refused, such as a team that the caller cannot access. */
async function readFirst(
  transaction: Transaction,
  { caller, teamId, position }: Waiting,
): Promise<FeedPage | undefined> {
  const teams = teamId === undefined ? await accessibleTeams({ transaction, caller }) : [teamId];
  return readFeed({ transaction, caller }, teams, position, 1).catch(() => undefined);
}
