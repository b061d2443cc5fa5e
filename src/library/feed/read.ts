// Reads the change feed from a position: what the caller can access of it, and where it goes on.
import type { ChangeRecord } from "../../contract/changes.ts";
import { errors } from "../../contract/errors.ts";
import { canAccess } from "../access.ts";
import type { Call, Caller } from "../call.ts";
import { type CursorList, cursorPart, readCursor } from "../cursor.ts";
import { changesOf } from "./entries.ts";
import { listChangesFrom, listNewestNumbers } from "./feed.store.ts";

/** The next change: the number of its row, and its index there. */
export type FeedPosition = readonly [number, number];

export const feedList = ({ workspaceId }: Pick<Caller, "workspaceId">, teamId: string | undefined): CursorList => ({
  name: "getChanges",
  parameters: { workspaceId, teamId },
  refusal: errors.sinceInvalid,
});

/** @throws Refusal 400 */
export const readPosition = (list: CursorList, since: string | undefined): FeedPosition | undefined =>
  readCursor(list, since, cursorPart.integer, cursorPart.integer);

/** Where the next change of a workspace will be. */
export async function findEnd(transaction: Call["transaction"], workspaceId: string): Promise<FeedPosition> {
  const [row] = await listNewestNumbers(transaction, [workspaceId]);
  return [(row?.changes ?? 0) + 1, 0];
}

/** Rows that are read at once, and by one request. The changes of others may be many more than those of the caller's teams. */
const portionRows = 100;
const portionsMax = 20;

export interface FeedPage {
  readonly changes: readonly ChangeRecord[];
  readonly next: FeedPosition;
  readonly hasMore: boolean;
}

/** @throws Refusal 400 for a position whose changes are no longer stored, or not yet: the database is older than the position */
export async function readFeed(
  { transaction, caller }: Pick<Call, "transaction" | "caller">,
  teamId: string | undefined,
  from: FeedPosition,
  limit: number,
): Promise<FeedPage> {
  const end = await findEnd(transaction, caller.workspaceId);
  const changes: ChangeRecord[] = [];
  let next = from;
  for (let portion = 0; portion < portionsMax; portion += 1) {
    const rows = await listChangesFrom(transaction, caller.workspaceId, next[0], portionRows);
    const [first] = rows;
    if (first ? first.number !== next[0] : next[0] !== end[0]) {
      // What was committed since the end was looked up is not missing.
      if (first || next[0] < end[0] || portion === 0) throw errors.cursorExpired();
      return { changes, next, hasMore: false };
    }
    for (const row of rows) {
      const own = changesOf(row);
      for (let index = next[1]; index < own.length; index += 1) {
        const change = own[index];
        if (!change || !canAccess(caller, change.team_id) || (teamId !== undefined && change.team_id !== teamId))
          continue;
        if (changes.length === limit) return { changes, next: [row.number, index], hasMore: true };
        changes.push(change);
      }
      next = [row.number + 1, 0];
    }
    if (rows.length < portionRows) return { changes, next, hasMore: false };
  }
  return { changes, next, hasMore: true };
}
