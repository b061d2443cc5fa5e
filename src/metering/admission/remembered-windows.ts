// The windows of keys in the process that admits all calls: read from the ledger once, then remembered. A key's number of calls shows
// whether what is remembered is complete, no matter which process wrote to the database.
import type { Transaction } from "../../platform/database/database.ts";
import { windowOf } from "../keys/rate-limit.ts";
import { type AdmissionRow, listCallsAfter } from "./admission.store.ts";
import { RememberedCalls } from "./call-times.ts";

interface WorkspaceWindows {
  /** Keys that are not here had no calls in the window that ended before this moment. */
  readonly readAt: string;
  readonly keys: Map<string, RememberedCalls>;
}

export class RememberedWindows {
  readonly #workspaces = new Map<string, WorkspaceWindows>();
  readonly #keysMin: number;
  readonly #rowsAtOnce: number;
  #keyCount = 0;
  #keysMax: number;

  /**
   * @param keysMin from this many keys on, workspaces without calls in the last minute are forgotten
   * @param rowsAtOnce how many rows of the ledger are read at once
   */
  constructor(keysMin = 20_000, rowsAtOnce = 10_000) {
    this.#keysMin = keysMin;
    this.#keysMax = keysMin;
    this.#rowsAtOnce = rowsAtOnce;
  }

  /** The calls in the window of a key, whose row was read in this transaction. */
  async find(
    transaction: Transaction,
    key: Pick<AdmissionRow, "workspace_id" | "id" | "call_count" | "last_used_at">,
  ): Promise<RememberedCalls> {
    const workspace = this.#workspaces.get(key.workspace_id);
    const known = workspace?.keys.get(key.id);
    if (known?.newestNumber === key.call_count) return known;
    const isUnused = workspace && !known && (key.last_used_at ?? "") < workspace.readAt;
    const { keys } = isUnused ? workspace : await this.#read(transaction, key.workspace_id);
    const calls = keys.get(key.id) ?? new RememberedCalls(key.call_count);
    // A call that a fast clock recorded may be newer than the one with the highest number.
    calls.newestNumber = key.call_count;
    keys.set(key.id, calls);
    this.#keyCount += 1;
    if (this.#keyCount > this.#keysMax) this.#forgetEmpty(Date.parse(transaction.now));
    return calls;
  }

  /** Forgets all windows: calls in them were rolled back. */
  clear(): void {
    this.#workspaces.clear();
    this.#keyCount = 0;
  }

  /** Reads the calls of a workspace that are in the window or ahead of it. */
  async #read(transaction: Transaction, workspaceId: string): Promise<WorkspaceWindows> {
    const found = new Map<string, { newestNumber: number; moments: number[] }>();
    let after = { admitted_at: windowOf(transaction.now).from, id: "ffffffff-ffff-ffff-ffff-ffffffffffff" };
    for (;;) {
      const rows = await listCallsAfter(transaction, workspaceId, after, this.#rowsAtOnce);
      for (const { key_id, key_call, admitted_at } of rows) {
        const calls = found.get(key_id) ?? { newestNumber: 0, moments: [] };
        calls.newestNumber = Math.max(calls.newestNumber, key_call);
        calls.moments.push(Date.parse(admitted_at));
        found.set(key_id, calls);
      }
      const last = rows.at(-1);
      if (!last || rows.length < this.#rowsAtOnce) break;
      after = last;
    }
    const keys = new Map([...found].map(([id, calls]) => [id, new RememberedCalls(calls.newestNumber, calls.moments)]));
    const workspace = { readAt: transaction.now, keys };
    this.#workspaces.set(workspaceId, workspace);
    return workspace;
  }

  /** Forgets workspaces without calls in the window that ends now. They are read again when they have some. */
  #forgetEmpty(now: number): void {
    this.#keyCount = 0;
    for (const [id, { keys }] of this.#workspaces) {
      const hasCalls = keys.values().some((calls) => !calls.isEmptyAt(now));
      if (hasCalls) this.#keyCount += keys.size;
      else this.#workspaces.delete(id);
    }
    this.#keysMax = Math.max(this.#keysMin, 2 * this.#keyCount);
  }
}
