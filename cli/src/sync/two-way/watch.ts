// Keeps files and snippets the same until the person presses Ctrl+C: changes of the team arrive from the change feed, those of files from the system.
import type { Commonplace } from "../../../../sdk/src/index.ts";
import { follow, mayPass } from "../follow.ts";
import { FolderWatch } from "./folder-watch.ts";
import type { Outcome } from "./outcome.ts";
import type { PassOptions } from "./pass.ts";
import type { Session } from "./session.ts";

/** After the last change of a file. */
const quietMilliseconds = 200;
/** Where the system reports nothing, such as in folders of other machines, changes are found by looking. */
const lookMilliseconds = 10_000;
/** Editors that save while someone types would make a version of each word. */
const pushEveryMilliseconds = 10_000;
/** A file that is gone may be on its way to another folder. */
const goneMilliseconds = 2_000;
const retryMilliseconds = 5_000;

/** What waits, and until when. */
export class Holds {
  readonly #pushedAt = new Map<string, number>();
  readonly #goneSince = new Map<string, number>();
  readonly #now: () => number;

  constructor(now = Date.now) {
    this.#now = now;
  }

  readonly isHeld: PassOptions["isHeld"] = (action, id) => {
    const now = this.#now();
    if (action === "trash") {
      const since = this.#goneSince.get(id) ?? now;
      this.#goneSince.set(id, since);
      return now - since < goneMilliseconds;
    }
    this.#goneSince.delete(id);
    return now - (this.#pushedAt.get(id) ?? Number.NEGATIVE_INFINITY) < pushEveryMilliseconds;
  };

  readonly pushed: PassOptions["pushed"] = (id) => void this.#pushedAt.set(id, this.#now());

  /** Those that are not gone anymore. */
  keepGone(): void {
    const now = this.#now();
    for (const [id, since] of this.#goneSince) if (now - since > 2 * goneMilliseconds) this.#goneSince.delete(id);
  }
}

export interface Watching {
  readonly client: Commonplace;
  readonly teamId: string;
  readonly session: Session;
  readonly signal: AbortSignal;
  readonly holds: Holds;
  readonly report: (outcome: Outcome) => void;
}

/** Ends when `signal` aborts. */
export async function watchBoth({ client, teamId, session, signal, holds, report }: Watching): Promise<never> {
  const following = new AbortController();
  let last: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failed: ((error: unknown) => void) | undefined;
  /** One after the other. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
  const later = (milliseconds: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void inTurn(compare).catch((error) => failed?.(error)), milliseconds);
  };
  const compare = async (): Promise<void> => {
    if (signal.aborted) return;
    // Before it looks, so that nothing happens in between unseen.
    watcher.refresh();
    const outcome = await session.compare();
    holds.keepGone();
    report(outcome);
    if (outcome.failure !== undefined && !mayPass(outcome.failure)) throw outcome.failure;
    const isSoon = outcome.isHeld || outcome.isAgain;
    later(isSoon ? goneMilliseconds : outcome.failure === undefined ? lookMilliseconds : retryMilliseconds);
  };
  const watcher = new FolderWatch(session.root, () => later(quietMilliseconds));
  const follower = {
    readAll: () => inTurn(() => session.readAll()),
    update: (changes: Parameters<Session["update"]>[0]) => inTurn(() => session.update(changes)),
    write: () => inTurn(compare),
    reconnected: () => inTurn(compare),
  };
  try {
    const broken = new Promise<never>((_, reject) => {
      failed = reject;
    });
    signal.addEventListener("abort", () => following.abort(signal.reason), { once: true });
    return await Promise.race([follow(client, teamId, follower, following.signal), broken]);
  } finally {
    following.abort();
    clearTimeout(timer);
    watcher.close();
    await last;
  }
}
