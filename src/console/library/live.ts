// Tells open pages what others change in the library: one stream for each page, which says in which teams something was changed. The
// pages then read again what they show, so a hint that comes twice does no harm.
//
// While any page is open, the change feed is read once a second, and soon after a commit of this process: for each workspace, what came after
// the number that was read last. Before a hint is sent, and every few seconds, the right to it is read again.

import { consoleErrors } from "../../contract/console/errors.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import { errors, Refusal } from "../../contract/errors.ts";
import type { Caller } from "../../library/call.ts";
import type { LibraryChanges } from "../../library/changes.ts";
import { findNewestNumber, listChangedTeams, listNewestNumbers } from "../../library/feed/feed.store.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import type { ReportFailure } from "../../platform/http/failure.ts";
import { hintFor } from "./hint.ts";

const tickMilliseconds = 1_000;
/** Changes that follow each other closely are sent together. */
const gatheringMilliseconds = 100;
const authorizedForMilliseconds = 5_000;
/** Less than the time after which a silent connection is closed. */
const heartbeatMilliseconds = 25_000;

export interface Watcher {
  readonly workspaceId: string;
  readonly personId: string;
  /** Reads again where the person may read. @throws Refusal for a session that has ended or a right that was taken away */
  readonly authorize: (transaction: Transaction) => Promise<Caller>;
}

interface OpenStream extends Watcher {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  /** Teams to tell of. */
  pending: Set<string>;
  authorizedAt: number;
  sentAt: number;
}

interface LiveDependencies {
  readonly database: Database;
  readonly changes: LibraryChanges;
  readonly report: ReportFailure;
}

export class LiveFeed {
  readonly #dependencies: LiveDependencies;
  readonly #streams = new Set<OpenStream>();
  /** The number in the feed up to which it was read, by workspace. */
  readonly #positions = new Map<string, number>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #gathering: ReturnType<typeof setTimeout> | undefined;
  #stopListening: (() => void) | undefined;
  #isWorking = false;
  #isEnded = false;

  constructor(dependencies: LiveDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws Refusal for a person with too many open pages, and while the service stops */
  async open(watcher: Watcher): Promise<ReadableStream<Uint8Array>> {
    const { workspaceId } = watcher;
    const newest = await this.#dependencies.database.read((transaction) => findNewestNumber(transaction, workspaceId));
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
        // Where other pages are open, the next hint may also tell of what this page has read already.
        if (!this.#positions.has(workspaceId)) this.#positions.set(workspaceId, newest);
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
    this.#stopListening ??= this.#dependencies.changes.listen((workspaceId) => {
      if (this.#positions.has(workspaceId)) this.#tickSoon();
    });
  }

  #tickSoon(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      void this.#tick();
    }, gatheringMilliseconds);
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
    this.#positions.clear();
  }

  async #tick(): Promise<void> {
    if (this.#streams.size === 0) return;
    const now = performance.now();
    for (const stream of this.#streams)
      if (now - stream.sentAt >= heartbeatMilliseconds) this.#send(stream, ": still here\n\n");
    if (this.#isWorking) return this.#tickSoon();
    this.#isWorking = true;
    try {
      await this.#look();
      await this.#flush();
    } catch (error) {
      // What was not read, or not sent because the person's rights are not known, comes with a later tick.
      this.#dependencies.report("", error);
    } finally {
      this.#isWorking = false;
    }
  }

  /** Reads on in the feed of each workspace. */
  async #look(): Promise<void> {
    const watched = new Set([...this.#streams].map(({ workspaceId }) => workspaceId));
    for (const id of this.#positions.keys()) if (!watched.has(id)) this.#positions.delete(id);
    const found = await this.#dependencies.database.read((transaction) => readOn(transaction, this.#positions));
    for (const [workspaceId, { newest }] of found) this.#positions.set(workspaceId, newest);
    for (const { workspaceId, pending } of this.#streams)
      for (const teamId of found.get(workspaceId)?.teamIds ?? []) pending.add(teamId);
  }

  /** Reads the rights of streams that have something to tell, or that were not checked for a while, and tells them what they may know. */
  async #flush(): Promise<void> {
    const now = performance.now();
    const due = [...this.#streams].filter(
      (stream) => stream.pending.size > 0 || now - stream.authorizedAt >= authorizedForMilliseconds,
    );
    if (due.length === 0) return;
    const hints = await this.#dependencies.database.read((transaction) =>
      Promise.all(due.map((stream) => hintAgain(transaction, stream))),
    );
    for (const [index, stream] of due.entries()) {
      const hint = hints[index];
      if (hint === undefined) this.#close(stream);
      else this.#tell(stream, hint, now);
    }
  }

  #tell(stream: OpenStream, { teamIds }: Hint, now: number): void {
    stream.authorizedAt = now;
    const { pending } = stream;
    // A client that does not read receives one hint for everything later.
    if (pending.size === 0 || (stream.controller.desiredSize ?? 0) <= 0) return;
    stream.pending = new Set();
    if (teamIds?.length !== 0) this.#send(stream, `data: ${JSON.stringify({ teamIds })}\n\n`);
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

/** What came after these positions, by workspace. A number becomes visible only after all smaller ones, so nothing is missed. */
async function readOn(transaction: Transaction, positions: ReadonlyMap<string, number>) {
  const found = new Map<string, { readonly newest: number; readonly teamIds: readonly string[] }>();
  for (const { workspace_id, changes: newest } of await listNewestNumbers(transaction, [...positions.keys()])) {
    const read = positions.get(workspace_id) ?? newest;
    if (newest > read) {
      const numbers = { first: read + 1, last: newest };
      found.set(workspace_id, { newest, teamIds: await listChangedTeams(transaction, workspace_id, numbers) });
    }
  }
  return found;
}

interface Hint {
  /** Null for any team. */
  readonly teamIds: readonly string[] | null;
}

/** @returns what the person may know of what is pending; undefined for a right that is gone */
async function hintAgain(transaction: Transaction, { authorize, pending }: OpenStream): Promise<Hint | undefined> {
  try {
    return { teamIds: await hintFor(transaction, await authorize(transaction), [...pending]) };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
