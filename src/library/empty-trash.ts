// Deletes snippets from the trash for good, a portion at a time: requests wait for a portion, never for the whole trash.
import { freeBytes } from "../metering/storage/storage.ts";
import type { Database, Transaction } from "../platform/database/database.ts";
import type { YieldToCalls } from "../platform/jobs.ts";
import { noteUnlisted } from "./feed/write.ts";
import { onlyLockedSnippets } from "./locked.ts";
import { goneUntil } from "./restore-snippets.ts";
import { sumSnippetBytes } from "./stored-bytes.store.ts";
import {
  findTrashedOwners,
  listOldestTrashByWorkspace,
  listOldestTrashed,
  lockTrashed,
  removeTrashed,
  type TrashScope,
} from "./trash.store.ts";

/** What one transaction deletes. A single snippet may be larger. */
export const portionMax = { snippets: 100, bytes: 8 * 1024 * 1024 };

export interface Emptied {
  readonly deletedCount: number;
  /** False when nothing was left. */
  readonly isMore: boolean;
}

/** Deletes the oldest portion of a part of the trash of a workspace. Call it again while there is more. */
export async function emptyTrash(transaction: Transaction, workspaceId: string, scope: TrashScope): Promise<Emptied> {
  const oldest = await listOldestTrashed(transaction, workspaceId, scope, portionMax.snippets);
  const portion = portionOf(oldest);
  if (portion.length === 0) return { deletedCount: 0, isMore: false };
  const locked = lockTrashed(transaction, workspaceId, portion);
  // Some may have been restored meanwhile, and even deleted again.
  const found = await onlyLockedSnippets(locked, findTrashedOwners(transaction, workspaceId, scope, portion));
  const ids = found.map(({ id }) => id);
  if (ids.length > 0) {
    const bytes = await sumSnippetBytes(transaction, "trash", workspaceId, ids);
    removeTrashed(transaction, workspaceId, ids);
    freeBytes(transaction, workspaceId, bytes);
    noteUnlisted(
      transaction,
      workspaceId,
      found.map((snippet) => snippet.team_id),
    );
  }
  const isMore = portion.length < oldest.length || oldest.length === portionMax.snippets;
  return { deletedCount: ids.length, isMore };
}

/** Those of the first snippets that one transaction deletes. */
export function portionOf(snippets: readonly { readonly id: string; readonly bytes: number }[]): string[] {
  let bytes = 0;
  const excess = snippets.findIndex((snippet, index) => {
    bytes += snippet.bytes;
    return index > 0 && bytes > portionMax.bytes;
  });
  return snippets.slice(0, excess === -1 ? snippets.length : excess).map(({ id }) => id);
}

const workspacesAtOnce = 256;
const beforeAllWorkspaces = "00000000-0000-0000-0000-000000000000";

/** Deletes what has been in the trash of any workspace for this long. What a crash leaves is deleted the next time. */
export async function deleteOverTime(
  database: Database,
  trashDays: number,
  yieldToCalls: YieldToCalls,
): Promise<number> {
  const until = await database.read(async (transaction) => goneUntil({ transaction, trashDays }));
  let deleted = 0;
  let lastId: string | undefined = beforeAllWorkspaces;
  while (lastId !== undefined && (await yieldToCalls())) {
    const afterId: string = lastId;
    const workspaces = await database.read((transaction) =>
      listOldestTrashByWorkspace(transaction, afterId, workspacesAtOnce),
    );
    for (const { id, oldest_at } of workspaces) {
      let isMore = oldest_at !== null && oldest_at <= until;
      while (isMore && (await yieldToCalls())) {
        const portion = await database.transaction((transaction) => emptyTrash(transaction, id, { until }));
        deleted += portion.deletedCount;
        isMore = portion.isMore;
      }
    }
    lastId = workspaces.at(-1)?.id;
  }
  return deleted;
}
