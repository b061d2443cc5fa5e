// Tells open pages what others change in the library: one stream for each page, which says in which teams something was changed. The
// pages then read again what they show, so a hint that comes twice does no harm.
//
// Changes of this process are passed on after their commit. Where other nodes share the database, it is asked once a second, with one
// statement, while any page is open. Before a hint is sent, and every few seconds, the right to it is read again.

import { consoleErrors } from "../../contract/console/errors.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import { errors, Refusal } from "../../contract/errors.ts";
import { canAccess } from "../../library/access.ts";
import type { Caller } from "../../library/call.ts";
import type { LibraryChange, LibraryChanges } from "../../library/changes.ts";
import { listRecentChanges } from "../../library/recent-changes.store.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import type { ReportFailure } from "../../platform/http/failure.ts";
import { addMilliseconds } from "../../platform/time.ts";

const tickMilliseconds = 1_000;
/** Changes that follow each other closely are sent together. */
const gatheringMilliseconds = 100;
const authorizedForMilliseconds = 5_000;
/** Less than the time after which a silent connection is closed. */
const heartbeatMilliseconds = 25_000;
/** How far each look goes back: a row has the time at which its transaction began. */
export const overlapMilliseconds = 10_000;

export interface Watcher {
  readonly workspaceId: string;
  readonly personId: string;
  /** Reads again where the person may read. @throws Refusal for a session that has ended or a right that was taken away */
  readonly authorize: (transaction: Transaction) => Promise<Caller>;
}

interface OpenStream extends Watcher {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  /** Teams to tell of; null for any. */
  pending: Set<string | null>;
  authorizedAt: number;
  sentAt: number;
}

interface LiveDependencies {
  readonly database: Database;
  readonly changes: LibraryChanges;
  /** Whether other processes write to the database. */
  readonly isShared: boolean;
  readonly report: ReportFailure;
}

export class LiveFeed {
  readonly #dependencies: LiveDependencies;
  readonly #streams = new Set<OpenStream>();
  /** Rows that were passed on, in the time that the looks overlap. */
  #seen = new Map<string, number>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #gathering: ReturnType<typeof setTimeout> | undefined;
  #stopListening: (() => void) | undefined;
  #isWorking = false;
  #isEnded = false;

  constructor(dependencies: LiveDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws Refusal for a person with too many open pages, and while the service stops */
  open(watcher: Watcher): ReadableStream<Uint8Array> {
    if (this.#isEnded) throw errors.draining(1);
    const own = [...this.#streams].filter(({ personId }) => personId === watcher.personId);
    if (own.length >= consoleLimits.streamsOfPersonMax) throw consoleErrors.tooManyStreams();
    if (this.#streams.size >= consoleLimits.streamsMax) throw errors.overloaded(1);
    let stream: OpenStream | undefined;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        const now = performance.now();
        stream = { ...watcher, controller, pending: new Set(), authorizedAt: now, sentAt: now };
        this.#streams.add(stream);
        this.#start();
        this.#send(stream, ": open\nretry: 3000\n\n");
      },
      cancel: () => {
        if (stream) this.#close(stream);
      },
    });
  }

  /** Ends all streams. Pages open theirs again, at another node. */
  end(): void {
    this.#isEnded = true;
    for (const stream of this.#streams) this.#close(stream);
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  #start(): void {
    this.#timer ??= setInterval(() => void this.#tick(), tickMilliseconds);
    this.#stopListening ??= this.#dependencies.changes.listen((change) => this.#pass(change));
  }

  #close(stream: OpenStream): void {
    this.#streams.delete(stream);
    try {
      stream.controller.close();
    } catch {
      // The client has closed it.
    }
    if (this.#streams.size > 0) return;
    clearInterval(this.#timer);
    clearTimeout(this.#gathering);
    this.#stopListening?.();
    this.#timer = this.#gathering = this.#stopListening = undefined;
    this.#seen.clear();
  }

  #pass({ workspaceId, teamIds, ids }: LibraryChange): void {
    const now = performance.now();
    if (this.#dependencies.isShared) for (const id of ids) this.#seen.set(id, now);
    for (const { pending } of [...this.#streams].filter((stream) => stream.workspaceId === workspaceId))
      for (const teamId of teamIds ?? [null]) pending.add(teamId);
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      void this.#flush();
    }, gatheringMilliseconds);
  }

  async #tick(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    try {
      if (this.#dependencies.isShared) await this.#look();
    } catch (error) {
      this.#dependencies.report("", error);
    } finally {
      this.#isWorking = false;
    }
    await this.#flush();
    const now = performance.now();
    for (const stream of this.#streams)
      if (now - stream.sentAt >= heartbeatMilliseconds) this.#send(stream, ": still here\n\n");
  }

  /** Asks the database what other nodes have written. */
  async #look(): Promise<void> {
    const workspaceIds = [...new Set([...this.#streams].map(({ workspaceId }) => workspaceId))];
    if (workspaceIds.length === 0) return;
    const now = performance.now();
    const found = await this.#dependencies.database.read((transaction) =>
      listRecentChanges(transaction, workspaceIds, addMilliseconds(transaction.now, -overlapMilliseconds)),
    );
    for (const { id, workspace_id, team_id } of found)
      if (!this.#seen.has(id))
        this.#pass({ workspaceId: workspace_id, teamIds: team_id === null ? undefined : [team_id], ids: [id] });
    for (const [id, at] of this.#seen) if (now - at > 2 * overlapMilliseconds) this.#seen.delete(id);
  }

  /** Reads the rights of streams that have something to tell, or that were not checked for a while, and tells them what they may know. */
  async #flush(): Promise<void> {
    const now = performance.now();
    const due = [...this.#streams].filter(
      (stream) => stream.pending.size > 0 || now - stream.authorizedAt >= authorizedForMilliseconds,
    );
    if (due.length === 0) return;
    try {
      const callers = await this.#dependencies.database.read((transaction) =>
        Promise.all(due.map((stream) => authorizeAgain(transaction, stream))),
      );
      for (const [index, stream] of due.entries()) {
        const caller = callers[index];
        if (caller === undefined) this.#close(stream);
        else this.#tell(stream, caller, now);
      }
    } catch (error) {
      // Without knowing the person's rights, nothing is sent. Pending hints are sent once the rights can be read again.
      this.#dependencies.report("", error);
    }
  }

  #tell(stream: OpenStream, caller: Caller, now: number): void {
    stream.authorizedAt = now;
    const { pending } = stream;
    // A client that does not read receives one hint for everything later.
    if (pending.size === 0 || (stream.controller.desiredSize ?? 0) <= 0) return;
    stream.pending = new Set();
    const teamIds = [...pending].filter((teamId) => teamId !== null && canAccess(caller, teamId));
    const isAnyTeam = pending.has(null);
    if (teamIds.length > 0 || isAnyTeam)
      this.#send(stream, `data: ${JSON.stringify({ teamIds: isAnyTeam ? null : teamIds })}\n\n`);
  }

  #send(stream: OpenStream, text: string): void {
    stream.sentAt = performance.now();
    try {
      stream.controller.enqueue(new TextEncoder().encode(text));
    } catch {
      this.#close(stream);
    }
  }
}

/** @returns undefined for a right that is gone */
async function authorizeAgain(transaction: Transaction, { authorize }: Watcher): Promise<Caller | undefined> {
  try {
    return await authorize(transaction);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
