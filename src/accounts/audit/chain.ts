// The chain of audit entries: each entry's hash covers what it says and the hash before it, so that no entry can be changed, removed,
// or added later without changing all that follow. There is one chain for each workspace, and one for the entries without a workspace.
import { createHash, randomBytes } from "node:crypto";
import type { Database, Transaction } from "../../platform/database/database.ts";
import type { YieldToCalls } from "../../platform/jobs.ts";
import { addDays } from "../../platform/time.ts";
import { findPerson } from "../people/people.store.ts";
import * as store from "./chain.store.ts";

export type NewEntry = Omit<
  store.ChainedEntry,
  "number" | "actor_salt" | "actor_hash" | "details_salt" | "details_hash" | "hash"
>;

const saltBytes = 16;

const hashOf = (parts: readonly (string | number | null)[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex");

/** What the first entry of a workspace follows. */
const firstHashOf = (workspaceId: string): string => hashOf(["commonplace audit log", workspaceId]);

type ActorFields = Pick<NewEntry, "actor_name" | "client_address">;
type DetailFields = Pick<NewEntry, "target_name" | "before" | "after">;

const actorHashOf = (salt: string, { actor_name, client_address }: ActorFields): string =>
  hashOf([salt, actor_name, client_address]);

const detailsHashOf = (salt: string, { target_name, before, after }: DetailFields): string =>
  hashOf([salt, target_name, before, after]);

const entryHashOf = (previousHash: string, entry: Omit<store.ChainedEntry, "hash">): string => {
  const { workspace_id, number, id, at, actor_kind, actor_id, action, target_kind, target_id } = entry;
  const fixed = [workspace_id, number, id, at, actor_kind, actor_id, action, target_kind, target_id];
  return hashOf([previousHash, ...fixed, entry.actor_hash, entry.details_hash]);
};

/** Appends entries to their chains. It runs at the end of each transaction, and takes the locks in one order. */
export async function appendEntries(transaction: Transaction, entries: readonly NewEntry[]): Promise<void> {
  const byWorkspace = [...Map.groupBy(entries, ({ workspace_id }) => workspace_id)];
  for (const [workspaceId, added] of byWorkspace.sort(([left], [right]) => (left < right ? -1 : 1))) {
    store.beginChain(transaction, workspaceId, firstHashOf(workspaceId));
    const chain = await store.lockChain(transaction, workspaceId);
    if (!chain) throw new Error("a chain that has just begun is gone");
    let { number, hash } = chain;
    const rows = added.map((entry) => {
      number += 1;
      const [actor_salt, details_salt] = [newSalt(), newSalt()];
      const actor_hash = actorHashOf(actor_salt, entry);
      const details_hash = detailsHashOf(details_salt, entry);
      const row = { ...entry, number, actor_salt, actor_hash, details_salt, details_hash };
      hash = entryHashOf(hash, row);
      return { ...row, hash };
    });
    transaction.insert("audit_log", rows);
    store.moveChain(transaction, workspaceId, number, hash);
  }
}

const newSalt = (): string => randomBytes(saltBytes).toString("hex");

export interface VerifiedChains {
  readonly chains: number;
  readonly entries: number;
  /** Entries whose names or details were removed with a deleted account. */
  readonly forgotten: number;
  /** The first entry of each chain that is not as it was written, and what is wrong with it. */
  readonly broken: readonly string[];
}

const entriesAtOnce = 500;

/** Checks all chains. */
export async function verifyChains(transaction: Transaction): Promise<VerifiedChains> {
  const chains = await store.listChains(transaction);
  const unchained = await store.listUnchained(transaction);
  const broken = unchained.map(({ workspace_id }) => `workspace ${workspace_id} has entries, but no chain`);
  let [entries, forgotten] = [0, 0];
  for (const chain of chains) {
    const verified = await verifyChain(transaction, chain);
    entries += verified.entries;
    forgotten += verified.forgotten;
    if (verified.broken !== undefined) broken.push(`workspace ${chain.workspace_id}: ${verified.broken}`);
  }
  return { chains: chains.length, entries, forgotten, broken };
}

async function verifyChain(transaction: Transaction, chain: store.ChainRow) {
  let { removed_number: number, removed_hash: hash } = chain;
  let [entries, forgotten] = [0, 0];
  if (number === 0 && hash !== firstHashOf(chain.workspace_id))
    return { entries, forgotten, broken: "the beginning was changed" };
  for (;;) {
    const page = await store.listChainedEntries(transaction, chain.workspace_id, number, entriesAtOnce);
    for (const entry of page) {
      const wrong = await findWrong(transaction, entry, number, hash);
      if (wrong !== undefined) return { entries, forgotten, broken: wrong };
      ({ number, hash } = entry);
      entries += 1;
      if (entry.actor_salt === null || entry.details_salt === null) forgotten += 1;
    }
    if (page.length < entriesAtOnce) break;
  }
  const isWhole = number === chain.number && hash === chain.hash;
  return { entries, forgotten, broken: isWhole ? undefined : `entry ${number + 1} is missing` };
}

/** What is wrong with the entry after this number and hash. */
async function findWrong(
  transaction: Transaction,
  entry: store.ChainedEntry,
  number: number,
  hash: string,
): Promise<string | undefined> {
  if (entry.number !== number + 1) return `entry ${number + 1} is missing`;
  const { actor_salt, actor_hash, details_salt, details_hash } = entry;
  const name = `entry ${entry.number} (${entry.id}, ${entry.action} at ${entry.at})`;
  const isSame =
    entryHashOf(hash, entry) === entry.hash &&
    (actor_salt === null || actorHashOf(actor_salt, entry) === actor_hash) &&
    (details_salt === null || detailsHashOf(details_salt, entry) === details_hash);
  if (!isSame) return `${name} was changed`;
  // Only the deletion of an account removes names and details.
  const people = [actor_salt === null && entry.actor_id, details_salt === null && entry.target_id];
  for (const id of people)
    if (typeof id === "string" && (await findPerson(transaction, id))?.deleted_at === null)
      return `${name} lacks names or details, although the account still exists`;
  return undefined;
}

/**
 * Removes the name, email address, and details of a person whose account is deleted. What they did stays under a pseudonym, with their IP
 * addresses for some time, and the chain stays whole.
 */
export function forgetPerson(
  transaction: Transaction,
  { id, email }: { readonly id: string; readonly email: string },
  pseudonym: string,
): void {
  store.forgetActor(transaction, id, pseudonym);
  store.forgetTarget(transaction, id, email, pseudonym);
}

/** Removes entries that are older, oldest first. Each chain then begins after the last removed one. @returns how many */
export async function removeOldEntries(
  database: Database,
  keptDays: number,
  yieldToCalls: YieldToCalls,
): Promise<number> {
  let removed = 0;
  for (const { workspace_id } of await database.read(store.listChains)) {
    let portion = entriesAtOnce;
    while (portion === entriesAtOnce && (await yieldToCalls())) {
      portion = await database.transaction(async (transaction) => {
        const chain = await store.lockChain(transaction, workspace_id);
        if (!chain) return 0;
        const page = await store.listChainedEntries(transaction, workspace_id, chain.removed_number, entriesAtOnce);
        const moment = addDays(transaction.now, -keptDays);
        const newer = page.findIndex(({ at }) => at >= moment);
        const last = newer === -1 ? page.at(-1) : page[newer - 1];
        if (!last) return 0;
        store.removeEntries(transaction, workspace_id, last.number, last.hash);
        return last.number - chain.removed_number;
      });
      removed += portion;
    }
  }
  return removed;
}
