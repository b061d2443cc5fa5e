// Follows the changes of a team for as long as the person wants, whatever happens to the connection.
import { sleep } from "../../../sdk/src/exchange.ts";
import {
  type Change,
  type Commonplace,
  CommonplaceError,
  ConnectionError,
  RateLimitError,
  ServiceError,
} from "../../../sdk/src/index.ts";
import { notice } from "../terminal/print.ts";

/** Pauses between attempts to reach the service: each twice as long as the one before, up to the most. */
const pauseSeconds = { first: 1, most: 30 };

/** A service that refuses even its newest cursor would have everything read again without end. */
const refusalsMax = 2;

export interface Follower {
  /** Reads everything. It happens before the first change, and again where changes are missing. */
  readonly readAll: () => Promise<void>;
  readonly update: (changes: readonly Change[]) => Promise<void>;
  /** Writes what was read. */
  readonly write: () => void | Promise<void>;
  /** The service can be reached again. */
  readonly reconnected?: () => Promise<void>;
}

/** Ends when `signal` aborts. @throws what no further attempt would help with, such as a key that is no longer active */
export async function follow(
  client: Commonplace,
  teamId: string,
  { readAll, update, write, reconnected }: Follower,
  signal: AbortSignal,
): Promise<never> {
  let cursor: string | undefined;
  let isLost = false;
  let refusals = 0;
  for (let hasRead = false; ; ) {
    let isReadingFeed = false;
    try {
      if (isLost) {
        await reach(client, signal);
        notice("Reconnected.");
        isLost = false;
        await reconnected?.();
      }
      isReadingFeed = true;
      for await (const { changes, cursor: next } of client.followChanges({ teamId, cursor }, { signal })) {
        isReadingFeed = false;
        if (cursor !== undefined) refusals = 0;
        if (cursor === undefined) await readAll();
        else if (changes.length > 0) await update(changes);
        if (cursor === undefined || changes.length > 0) await write();
        cursor = next;
        hasRead = true;
        isReadingFeed = true;
      }
    } catch (error) {
      // Where the service cannot be reached at first, the address may be wrong: that fails at once.
      if (signal.aborted || !hasRead) throw error;
      if (isReadingFeed && cursor !== undefined && isInvalid(error) && refusals < refusalsMax) {
        refusals += 1;
        notice("Some changes are no longer available. Reading everything again...");
        cursor = undefined;
      } else if (mayPass(error)) {
        notice("The connection to the service was lost. Trying again...");
        isLost = true;
      } else throw error;
    }
  }
}

/**
 * The same request without a cursor was accepted, so it is the cursor that the service refuses: the changes since then are no longer available, or
 * the service has another instance key by now and reads none of its former cursors.
 */
const isInvalid = (error: unknown): boolean => error instanceof CommonplaceError && error.status === 400;

/** Whether another attempt may succeed. */
export const mayPass = (error: unknown): boolean =>
  error instanceof ServiceError ||
  error instanceof RateLimitError ||
  (error instanceof ConnectionError && error.code !== "certificate_not_trusted");

/** Tries until the service can be reached. */
async function reach(client: Commonplace, signal: AbortSignal): Promise<void> {
  for (let seconds = pauseSeconds.first; ; seconds = Math.min(seconds * 2, pauseSeconds.most)) {
    try {
      await client.getMe({}, { signal });
      return;
    } catch (error) {
      if (signal.aborted || !mayPass(error)) throw error;
    }
    await sleep(seconds, signal);
  }
}
