// Writes noted changes: few rows for each transaction, at its end.
import { type NumberedRows, noNumberedRows } from "../../metering/admission/admission.ts";
import type { Transaction } from "../../platform/database/database.ts";
import type { LastWork } from "../../platform/database/last-work.ts";
import { rowsOf } from "./entries.ts";
import { insertChanges, insertNumbered, insertWhileNumbering, type NewChanges, takeNumbers } from "./feed.store.ts";
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

  /** Takes the rows of all of them, by workspace. */
  takeRows(): ReadonlyMap<string, NewChanges[]> {
    const rows = new Map<string, NewChanges[]>();
    for (const [workspaceId, changes] of this.#byWorkspace) rows.set(workspaceId, rowsOf(changes));
    this.clear();
    return rows;
  }

  /** Takes all of them, to be written with what else changes in the rows of their workspaces. */
  take(): NumberedRows {
    if (this.#byWorkspace.size === 0) return noNumberedRows;
    const rows = this.takeRows();
    const rowsIn = (workspaceId: string) => rows.get(workspaceId) ?? [];
    return {
      countOf: (workspaceId) => rowsIn(workspaceId).length,
      insert: (transaction, workspaceId, newest) =>
        insertNumbered(transaction, workspaceId, rowsIn(workspaceId), newest),
      insertWhileNumbering: (transaction, workspaceId, taking, beside) =>
        insertWhileNumbering(transaction, workspaceId, rowsIn(workspaceId), { taking, beside }),
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
  // In the order of their IDs, in which all transactions lock them.
  for (const [id, rows] of [...pending.takeRows()].sort(([one], [two]) => (one < two ? -1 : 1))) {
    takeNumbers(transaction, id, rows.length);
    insertChanges(transaction, id, rows);
  }
};
