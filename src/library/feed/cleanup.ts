// Deletes changes that are older than the feed promises, and those of a team that is removed.
import { limits } from "../../contract/limits.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import type { YieldToCalls } from "../../platform/jobs.ts";
import { addDays } from "../../platform/time.ts";
import { deleteChangesUpTo, listFirstChanges, listOldestChanges } from "./feed.store.ts";

const teamsAtOnce = 256;
const beforeAll = "00000000-0000-0000-0000-000000000000";
/** Rows of one transaction. On an engine with one writer, calls wait for it. */
const portionRows = 200;
/** A cursor and the changes after it have times of different nodes and of transactions that began earlier. */
const sparedDays = 1;

/** @returns how many rows were deleted */
export async function deleteOldChanges(database: Database, yieldToCalls: YieldToCalls): Promise<number> {
  let deleted = 0;
  let last: { workspace_id: string; id: string } | undefined = { workspace_id: beforeAll, id: beforeAll };
  while (last !== undefined && (await yieldToCalls())) {
    const after: { workspace_id: string; id: string } = last;
    const { teams, until } = await database.read(async (transaction) => ({
      teams: await listOldestChanges(transaction, after, teamsAtOnce),
      until: addDays(transaction.now, -limits.changeDays - sparedDays),
    }));
    for (const { workspace_id, id, oldest_at } of teams) {
      let isMore = oldest_at !== null && oldest_at < until;
      while (isMore && (await yieldToCalls())) {
        const portion = await database.transaction((transaction) =>
          deletePortion(transaction, workspace_id, id, until),
        );
        deleted += portion;
        isMore = portion === portionRows;
      }
    }
    last = teams.length === teamsAtOnce ? teams.at(-1) : undefined;
  }
  return deleted;
}

/** @param until undefined: however new they are. @returns how many rows were deleted; fewer than a portion where no more are to be */
async function deletePortion(transaction: Transaction, workspaceId: string, teamId: string, until?: string) {
  const rows = await listFirstChanges(transaction, workspaceId, teamId, portionRows);
  const newer = until === undefined ? -1 : rows.findIndex(({ at }) => at >= until);
  const last = newer === -1 ? rows.at(-1) : rows[newer - 1];
  return last ? deleteChangesUpTo(transaction, workspaceId, teamId, last.number) : 0;
}

/** Deletes some of the changes of a team. @returns false where nothing was left */
export const deleteChangesOfTeam = async (
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
): Promise<boolean> => (await deletePortion(transaction, workspaceId, teamId)) > 0;
