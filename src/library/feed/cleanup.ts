// Deletes changes that are older than the feed promises, oldest first, so that the rows of a workspace stay without gaps.
import { limits } from "../../contract/limits.ts";
import type { Database } from "../../platform/database/database.ts";
import type { YieldToCalls } from "../../platform/jobs.ts";
import { addDays } from "../../platform/time.ts";
import { deleteChangesUpTo, listChangesFrom, listOldestChanges } from "./feed.store.ts";

const workspacesAtOnce = 256;
const beforeAllWorkspaces = "00000000-0000-0000-0000-000000000000";
/** Rows of one transaction. On an engine with one writer, calls wait for it. */
const portionRows = 200;

/** @returns how many rows were deleted */
export async function deleteOldChanges(database: Database, yieldToCalls: YieldToCalls): Promise<number> {
  let deleted = 0;
  let lastId: string | undefined = beforeAllWorkspaces;
  while (lastId !== undefined && (await yieldToCalls())) {
    const afterId: string = lastId;
    const { workspaces, until } = await database.read(async (transaction) => ({
      workspaces: await listOldestChanges(transaction, afterId, workspacesAtOnce),
      until: addDays(transaction.now, -limits.changeDays),
    }));
    for (const { id, oldest_at } of workspaces) {
      let isMore = oldest_at !== null && oldest_at < until;
      while (isMore && (await yieldToCalls())) {
        const portion = await database.transaction(async (transaction) => {
          const rows = await listChangesFrom(transaction, id, 0, portionRows);
          const newer = rows.findIndex(({ at }) => at >= until);
          const last = newer === -1 ? rows.at(-1) : rows[newer - 1];
          return last ? deleteChangesUpTo(transaction, id, last.number) : 0;
        });
        deleted += portion;
        isMore = portion === portionRows;
      }
    }
    lastId = workspaces.at(-1)?.id;
  }
  return deleted;
}
