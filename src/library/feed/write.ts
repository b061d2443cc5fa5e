// Writes noted changes: few rows for each transaction, at its end.
import type { Transaction } from "../../platform/database/database.ts";
import type { LastWork } from "../../platform/database/last-work.ts";
import { entriesOf, type PackedEntry } from "./entries.ts";
import { insertChanges } from "./feed.store.ts";
import type { NoteChanges, NotedChange } from "./noted.ts";

/** A row is read as a whole. */
const rowChangesMax = 200;

/** The changes of a transaction that are not written yet. */
export class PendingChanges {
  readonly #byWorkspace = new Map<string, NotedChange[]>();

  add(workspaceId: string, changes: readonly NotedChange[]): void {
    if (changes.length === 0) return;
    const noted = this.#byWorkspace.get(workspaceId);
    if (noted) noted.push(...changes);
    else this.#byWorkspace.set(workspaceId, [...changes]);
  }

  /** Sends the statements, in the order of the workspaces' IDs, in which all transactions lock them. */
  flush(transaction: Transaction): void {
    const workspaceIds = [...this.#byWorkspace.keys()].sort();
    for (const id of workspaceIds) insertChanges(transaction, id, rowsOf(this.#byWorkspace.get(id) ?? []));
    this.clear();
  }

  clear(): void {
    this.#byWorkspace.clear();
  }
}

function rowsOf(changes: readonly NotedChange[]): string[] {
  const rows: string[] = [];
  for (let at = 0; at < changes.length; at += rowChangesMax) {
    const entries: PackedEntry[] = entriesOf(changes.slice(at, at + rowChangesMax));
    rows.push(JSON.stringify(entries));
  }
  return rows;
}

/** Notes changes in a transaction that is not shared. */
export const noteChangesIn =
  (transaction: Transaction, workspaceId: string): NoteChanges =>
  (changes) => {
    if (changes.length > 0) transaction.atEnd(writeNoted, { workspaceId, changes });
  };

interface Noted {
  readonly workspaceId: string;
  readonly changes: readonly NotedChange[];
}

const writeNoted: LastWork<Noted> = async (transaction, items) => {
  const pending = new PendingChanges();
  for (const { workspaceId, changes } of items) pending.add(workspaceId, changes);
  pending.flush(transaction);
};
