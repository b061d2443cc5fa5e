// Deletes what was done in the library longer than a year ago.
import type { Database } from "../platform/database/database.ts";
import type { YieldToCalls } from "../platform/jobs.ts";
import { addDays } from "../platform/time.ts";
import { deleteActsBefore } from "./activity.store.ts";

/** How long an act is kept. The history of a snippet is kept for as long as the snippet. */
export const activityDays = 365;
/** Rows of one transaction. On an engine with one writer, calls wait for it. */
const portionRows = 200;

/** @returns how many rows were deleted */
export async function deleteOldActivity(database: Database, yieldToCalls: YieldToCalls): Promise<number> {
  let rows = 0;
  let portion = portionRows;
  while (portion === portionRows && (await yieldToCalls())) {
    portion = await database.transaction((transaction) =>
      deleteActsBefore(transaction, addDays(transaction.now, -activityDays), portionRows),
    );
    rows += portion;
  }
  return rows;
}
