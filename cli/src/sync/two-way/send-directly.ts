// Sends a change directly after its snippet was read: the service takes it whatever the snippet says by then.
import { RateLimitError } from "../../../../sdk/src/index.ts";
import { sameDocument } from "./document.ts";
import type { Changed, Item } from "./ports.ts";

/** Until the rate limit allows another request: one more is needed to read the snippet again. */
const spareSeconds = 3;
/** So often is waited for the rate limit. After that, the rest of the sync waits for its next run. */
const waitsMax = 4;

export interface Sending {
  /** What the service had when it was read last. */
  readonly seen: Item;
  /** Whether something has been sent since then. */
  readonly isOld: boolean;
  readonly fresh: () => Promise<Item | undefined>;
  readonly send: (options: { readonly waitForRateLimit: false }) => Promise<unknown>;
  readonly sleep: (seconds: number) => Promise<void>;
}

/**
 * After everything that takes longer, such as waiting for the rate limit, the snippet is read again.
 * @returns what it is now, if someone else has changed it; then nothing was sent
 */
export async function sendDirectly({ seen, isOld, fresh, send, sleep }: Sending): Promise<Stale | undefined> {
  for (let [waits, isReadAgain] = [0, isOld]; ; waits += 1) {
    if (isReadAgain) {
      const now = await fresh();
      if (!now || !sameDocument(now.document, seen.document)) return { is: "stale", now };
    }
    try {
      await send({ waitForRateLimit: false });
      return undefined;
    } catch (error) {
      const seconds = error instanceof RateLimitError ? error.retryAfterSeconds : undefined;
      if (seconds === undefined || waits === waitsMax) throw error;
      await sleep(seconds + spareSeconds);
      isReadAgain = true;
    }
  }
}

type Stale = Extract<Changed, { readonly is: "stale" }>;
