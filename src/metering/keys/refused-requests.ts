// Requests of a known key that were not admitted. They have no row in the ledger: they are counted in memory by key, minute and reason, and
// written every few seconds, so that a flood costs no write per request. A crash loses the counts of the last seconds. Admitted requests
// that were refused with 403 are counted here too, for alerts; the request log takes them from the ledger.
import { type Clock, type Database, OutcomeUnknown } from "../../platform/database/database.ts";
import type { QueueState } from "../../platform/fair-queue.ts";
import type { YieldToCalls } from "../../platform/jobs.ts";
import { minuteOf } from "../../platform/time.ts";
import * as store from "./refused-requests.store.ts";

/**
 * Why a request of a known key was not admitted. `secret_expired`: a rotation replaced the secret, and its overlap is over. `network`: the
 * key does not work from the client's address. `key_rate_limit`: the key's own rate limit.
 */
export type RefusalReason =
  | "rate_limit"
  | "key_inactive"
  | "secret_expired"
  | "key_expired"
  | "network"
  | "key_rate_limit";

export type CountedReason = RefusalReason | "forbidden";

export interface RefusedRequest<Reason = RefusalReason> {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly reason: Reason;
  /** By the database's clock; undefined where the transaction found no active key, and so read no time. */
  readonly at: string | undefined;
}

/** Rows of one transaction: so few that calls wait for milliseconds only, on an engine with one writer. */
const rowsAtOnce = 200;
/** While the database cannot be written, so many are kept: too few rather than too many. */
const rowsMax = 20_000;

/** The refused requests of this process that are not in the database yet. */
export class RefusedRequests {
  readonly #database: Database;
  readonly #clock: Clock;
  /** By workspace, key, minute and reason. */
  #rows = new Map<string, store.RefusedRow>();

  /** @param clock for requests without a time */
  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  get state(): QueueState {
    return { name: "refused_requests", waiting: this.#rows.size, max: rowsMax };
  }

  count({ workspaceId, keyId, reason, at }: RefusedRequest<CountedReason>, clientAddress: string): void {
    this.#add({
      workspace_id: workspaceId,
      key_id: keyId,
      minute: minuteOf(at ?? new Date(this.#clock()).toISOString()),
      reason,
      requests: 1,
      client_address: clientAddress,
    });
  }

  /** Writes the counts. What could not be written is kept for the next time. */
  async write(): Promise<void> {
    // All nodes change the rows in the same order, so that none waits for another in a circle.
    const rows = [...this.#rows].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
    this.#rows = new Map();
    for (let start = 0; start < rows.length; start += rowsAtOnce) {
      const portion = rows.slice(start, start + rowsAtOnce);
      try {
        await this.#database.transaction(async (transaction) => {
          for (const row of portion) store.addRefused(transaction, row);
        });
      } catch (error) {
        // Where the commit may have taken place, the counts are not written again: too few rather than too many.
        for (const row of rows.slice(error instanceof OutcomeUnknown ? start + rowsAtOnce : start)) this.#add(row);
        throw error;
      }
    }
  }

  #add(row: store.RefusedRow): void {
    const id = [row.workspace_id, row.key_id, row.minute, row.reason].join(" ");
    const known = this.#rows.get(id);
    if (!known) {
      if (this.#rows.size < rowsMax) this.#rows.set(id, row);
      return;
    }
    const client_address = known.client_address === row.client_address ? row.client_address : null;
    this.#rows.set(id, { ...known, requests: known.requests + row.requests, client_address });
  }
}

/** Deletes rows that are older than the ledger, portion by portion. @returns how many */
export async function deleteRefused(database: Database, before: string, yieldToCalls: YieldToCalls): Promise<number> {
  let rows = 0;
  let portion = rowsAtOnce;
  while (portion === rowsAtOnce && (await yieldToCalls())) {
    portion = await database.transaction((transaction) => store.deleteRefusedBefore(transaction, before, rowsAtOnce));
    rows += portion;
  }
  return rows;
}
