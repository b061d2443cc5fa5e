// How many may wait in each queue of the process. Beyond that, a request is refused at once: it would be answered too late.
import type { QueueLimits } from "./fair-queue.ts";

export const queueLimits = {
  /** Requests that have arrived, until they are begun: of a client address, and of each of its connections. */
  beginnings: { total: 8_192, workspace: 8_192, key: 32 },
  /** Calls that need little, for their transaction: a thousand take less than 100 ms. */
  shortCalls: { total: 8_192, workspace: 2_048, key: 1_024 },
  /** Calls that read or write much, and everything that is no call, for their transaction. */
  longCalls: { total: 1_024, workspace: 512, key: 256 },
  /** Long reads, such as searches. */
  longReads: { total: 512, workspace: 256, key: 128 },
  /** Transactions, for a connection to the database server. */
  connections: { total: 1_024, workspace: 512, key: 256 },
  /** Large bodies and long reads, for a portion of the process's time. */
  turns: { total: 1_024, workspace: 512, key: 256 },
  /** Small files to import and to write, for the thread of formats. */
  smallFiles: { total: 256, workspace: 64, key: 32 },
  /** Files to import, for a process that reads them. The body of each waits in memory. */
  formats: { total: 16, workspace: 4, key: 2 },
  /** Exports, for a process that writes them. */
  exports: { total: 16, workspace: 4, key: 2 },
} as const satisfies Readonly<Record<string, QueueLimits>>;

/** Transactions that wait for the lock of their key, in all and for each key. */
export const openingLimits = { total: 1_024, key: 256 } as const;
