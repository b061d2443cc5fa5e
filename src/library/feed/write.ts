// Writes noted changes: few rows for each transaction, at its end.
import { type NumberedRows, noNumberedRows } from "../../metering/admission/admission.ts";
import type { Transaction } from "../../platform/database/database.ts";
import type { LastWork } from "../../platform/database/last-work.ts";
import { rowsOf } from "./entries.ts";
import { insertChanges, insertNumbered, insertWhileNumbering, noEntries, takeNumbers } from "./feed.store.ts";
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

  /** Takes all of them, to be written with what else changes in the rows of their workspaces. */
  take(): NumberedRows {
    if (this.#byWorkspace.size === 0) return noNumberedRows;
    const rows = new Map([...this.#byWorkspace].map(([id, changes]) => [id, rowsOf(changes)]));
    this.clear();
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
    if (changes.length > 0) transaction.atEnd(writeNoted, { workspaceId, changes, unlistedIn: [] });
  };

/** Notes that something was changed in these teams that the feed does not list, but open pages show. */
export const noteUnlisted = (transaction: Transaction, workspaceId: string, unlistedIn: readonly string[]): void =>
  transaction.atEnd(writeNoted, { workspaceId, changes: [], unlistedIn });

interface Noted {
  readonly workspaceId: string;
  readonly changes: readonly NotedChange[];
  readonly unlistedIn: readonly string[];
}

const writeNoted: LastWork<Noted> = async (transaction, items) => {
  const byWorkspace = Map.groupBy(items, ({ workspaceId }) => workspaceId);
  // In the order of their IDs, in which all transactions lock them.
  for (const [id, noted] of [...byWorkspace].sort(([one], [two]) => (one < two ? -1 : 1))) {
    const unlistedIn = new Set(noted.flatMap((item) => item.unlistedIn));
    const rows = [
      ...rowsOf(noted.flatMap(({ changes }) => changes)),
      ...[...unlistedIn].map((teamId) => ({ teamId, entries: noEntries })),
    ];
    takeNumbers(transaction, id, rows.length);
    insertChanges(transaction, id, rows);
  }
};
