// Reads the change feed from a position: what the caller can access of it, and where it goes on. How much others have changed shows nowhere in
// the result: neither in its size nor in whether there is more.
import { listTeams } from "../../accounts/workspaces/teams.store.ts";
import type { ChangeRecord } from "../../contract/changes.ts";
import { errors } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import { addDays } from "../../platform/time.ts";
import type { Call } from "../call.ts";
import type { FeedPosition } from "./cursor.ts";
import { changesOf } from "./entries.ts";
import { findNewestNumber, listChanges } from "./feed.store.ts";

/**
 * Numbers that are looked through by one statement: few at first, because those who follow miss only a few, and then twice as many each time,
 * because a team may have changed nothing for long.
 */
const numbersAtOnce = { first: 256, most: 16_384 };

export interface FeedPage {
  readonly changes: readonly ChangeRecord[];
  readonly next: FeedPosition;
  readonly hasMore: boolean;
}

/** Where the next change of a workspace will be. */
export const findEnd = async (transaction: Call["transaction"], workspaceId: string): Promise<FeedPosition> =>
  endAfter(await findNewestNumber(transaction, workspaceId), transaction.now);

const endAfter = (newest: number, at: string): FeedPosition => ({ number: newest + 1, index: 0, at });

/** False for a position whose changes are no longer stored, or not yet: the database is older than the position. */
export const isStored = (from: FeedPosition, end: FeedPosition): boolean =>
  from.at >= addDays(end.at, -limits.changeDays) && from.number <= end.number;

/**
 * @param teamIds undefined for every team of the workspace
 * @throws Refusal 400 for a position whose changes are not stored
 */
export async function readFeed(
  { transaction, caller: { workspaceId } }: Pick<Call, "transaction" | "caller">,
  teamIds: readonly string[] | undefined,
  from: FeedPosition,
  limit: number,
): Promise<FeedPage> {
  const newest = await findNewestNumber(transaction, workspaceId);
  const end = endAfter(newest, transaction.now);
  if (!isStored(from, end)) throw errors.cursorExpired();
  const changes: ChangeRecord[] = [];
  if (from.number > newest) return { changes, next: end, hasMore: false };
  const teams = teamIds ?? (await listTeams(transaction, workspaceId)).map(({ id }) => id);
  if (teams.length === 0) return { changes, next: end, hasMore: false };
  let width = numbersAtOnce.first;
  for (let first = from.number; first <= newest; ) {
    const last = Math.min(newest, first + width - 1);
    // Each row has a change, so one row more than the limit tells whether there is more.
    for (const row of await listChanges(transaction, workspaceId, teams, { first, last }, limit + 1)) {
      const start = row.number === from.number ? from.index : 0;
      for (const [index, change] of changesOf(row).entries()) {
        if (index < start) continue;
        if (changes.length === limit)
          return { changes, next: { number: row.number, index, at: row.at }, hasMore: true };
        changes.push(change);
      }
    }
    first = last + 1;
    width = Math.min(width * 2, numbersAtOnce.most);
  }
  return { changes, next: end, hasMore: false };
}
