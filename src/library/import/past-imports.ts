// The imports of the last 30 days: those that can be undone.
import type { ImportStatus } from "../../contract/transfer.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { addDays } from "../../platform/time.ts";
import { findImport, type ImportRow, listImports, lockImport } from "./imports.store.ts";
import { undoDays } from "./run.ts";

const sinceWhen = ({ now }: Transaction): string => addDays(now, -undoDays);

/** The import with this ID, in any workspace; undefined for one that is too old. */
export async function findPastImport(transaction: Transaction, importId: string): Promise<ImportRow | undefined> {
  const row = await findImport(transaction, importId);
  return row && row.created_at >= sinceWhen(transaction) ? row : undefined;
}

/** An import of the workspace, which stays as it is until the end of the transaction; undefined for one that is too old. */
export async function lockPastImport(
  transaction: Transaction,
  workspaceId: string,
  importId: string,
): Promise<ImportRow | undefined> {
  const row = await lockImport(transaction, workspaceId, importId);
  return row && row.created_at >= sinceWhen(transaction) ? row : undefined;
}

/** The newest first. @param teamIds undefined for all teams. @param beforeId only those before this one */
export const listPastImports = (
  transaction: Transaction,
  workspaceId: string,
  teamIds: readonly string[] | undefined,
  limit: number,
  beforeId?: string,
): Promise<ImportRow[]> => listImports(transaction, workspaceId, teamIds, sinceWhen(transaction), limit, beforeId);

export const statusOf = ({ undone_at, finished_at }: ImportRow): ImportStatus =>
  undone_at !== null ? "undone" : finished_at === null ? "unfinished" : "finished";
