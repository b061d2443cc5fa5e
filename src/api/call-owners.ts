// Whose turn a call takes. It is known from earlier calls with the same key, before the call's transaction; no decision depends on it.
import type { Owner } from "../platform/fair-queue.ts";

const keysMax = 20_000;
/** The workspace of keys that were not used before, and of those that do not exist. */
const unknown = "unknown";

export class CallOwners {
  readonly #owners = new Map<string, Owner>();

  find(secretHash: string): Owner {
    return this.#owners.get(secretHash) ?? { workspace: unknown, key: secretHash };
  }

  learn(secretHash: string, workspace: string): void {
    if (this.#owners.has(secretHash)) return;
    if (this.#owners.size >= keysMax) this.#owners.clear();
    this.#owners.set(secretHash, { workspace, key: secretHash });
  }
}
