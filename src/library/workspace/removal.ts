// Removes the workspaces whose time to be restored is over: every row of every table. Requests wait for a portion, never for all of it.
import { noWorkspace, recordAuditEntry } from "../../accounts/audit/audit.ts";
import {
  findWorkspace,
  listWorkspacesDeletedBefore,
  lockForWorkspaceChange,
} from "../../accounts/workspaces/workspaces.store.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import type { YieldToCalls } from "../../platform/jobs.ts";
import { addDays } from "../../platform/time.ts";
import { deleteRows, deleteWorkspaceRow, separateRows, workspaceTables } from "./rows.store.ts";

/** Rows of one transaction. On an engine with one writer, calls wait for it. */
const portionRows = 100;

/** @returns how many workspaces were removed. What is left of one when the service stops is removed the next time. */
export async function removeDeletedWorkspaces(database: Database, yieldToCalls: YieldToCalls): Promise<number> {
  const due = await database.read((transaction) =>
    listWorkspacesDeletedBefore(transaction, addDays(transaction.now, -consoleLimits.graceDays)),
  );
  let removed = 0;
  for (const { id } of due) {
    if (!(await emptyWorkspace(database, id, yieldToCalls))) break;
    await database.transaction((transaction) => removeWorkspace(transaction, id));
    removed += 1;
  }
  return removed;
}

/** Tables in an order in which no row refers to one of an earlier table. */
const childrenFirst = () => workspaceTables().toReversed();

/** @returns false where the service stops */
async function emptyWorkspace(database: Database, id: string, yieldToCalls: YieldToCalls): Promise<boolean> {
  for (const table of childrenFirst()) {
    await database.transaction((transaction) => separateRows(transaction, table, id));
    let deleted: number;
    do {
      if (!(await yieldToCalls())) return false;
      deleted = await database.transaction((transaction) => deleteRows(transaction, table, id, portionRows));
    } while (deleted === portionRows);
  }
  return true;
}

/** Removes the workspace itself, with what a job may have written meanwhile. Jobs that write for a workspace lock its row. */
async function removeWorkspace(transaction: Transaction, id: string): Promise<void> {
  lockForWorkspaceChange(transaction, id);
  const workspace = await findWorkspace(transaction, id);
  if (!workspace) return;
  for (const table of childrenFirst()) while ((await deleteRows(transaction, table, id, portionRows)) > 0);
  await deleteWorkspaceRow(transaction, id);
  recordAuditEntry(
    transaction,
    noWorkspace,
    { kind: "service", id: null, name: "Commonplace", clientAddress: null },
    { action: "workspace.remove", target: { kind: "workspace", id, name: workspace.name } },
  );
}
