// Writes noted changes: few rows for each transaction, at its end.
import { type NumberedRows, noNumberedRows } from "../../metering/admission/admission.ts";
import type { Transaction } from "../../platform/database/database.ts";
import type { LastWork } from "../../platform/database/last-work.ts";
import { rowsOf } from "./entries.ts";
import { insertChanges, takeNumbers } from "./feed.store.ts";
import type { NoteChanges, NotedChange } from "./noted.ts";

/** The changes of a transaction that are not written yet. */
export class PendingChanges {
  readonly #byWorkspace = new Map<string, NotedChange[]>();

  add(workspaceId: string, changes: readonly NotedChange[]): void {
    if (changes.length === 0) return;
    const noted = this.#byWorkspace.get(workspaceId);
    if (noted) noted.push(...changes);
    else this.#byWorkspace.set(workspaceId, [...changes]);
  }

  /** Takes all of them, to be written. */
  take(): NumberedRows {
    if (this.#byWorkspace.size === 0) return noNumberedRows;
    const rows = new Map([...this.#byWorkspace].map(([workspaceId, changes]) => [workspaceId, rowsOf(changes)]));
    this.clear();
    return {
      countOf: (workspaceId) => rows.get(workspaceId)?.length ?? 0,
      insert: (transaction) => {
        for (const [workspaceId, ofWorkspace] of rows) insertChanges(transaction, workspaceId, ofWorkspace);
      },
    };
  }

  clear(): void {
    this.#byWorkspace.clear();
  }
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
  const rows = pending.take();
  // In the order of their IDs, in which all transactions lock them.
  for (const id of [...new Set(items.map(({ workspaceId }) => workspaceId))].sort())
    takeNumbers(transaction, id, rows.countOf(id));
  rows.insert(transaction);
};
