// What was changed in the library since a page has asked before: for pages that cannot keep a stream open.
import type { Caller } from "../../library/call.ts";
import type { FeedCursors } from "../../library/feed/cursor.ts";
import { listChangedTeams } from "../../library/feed/feed.store.ts";
import { findEnd, isStored } from "../../library/feed/read.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { hintFor } from "./hint.ts";

/**
 * @returns the teams in which something was changed, null for any, and the position to ask with the next time
 * @throws Refusal 400 for a position that is none
 */
export async function readChanges(
  transaction: Transaction,
  caller: Caller,
  feedCursors: FeedCursors,
  since: string | undefined,
) {
  const { workspaceId } = caller;
  const list = { workspaceId, teamId: undefined };
  const end = await findEnd(transaction, workspaceId);
  const position = feedCursors.format(list, end);
  if (since === undefined) return { position, teamIds: [] };
  const from = feedCursors.read(list, since);
  if (!isStored(from, end)) return { position, teamIds: null };
  const numbers = { first: from.number, last: end.number - 1 };
  const changed = await listChangedTeams(transaction, workspaceId, numbers);
  return { position, teamIds: await hintFor(transaction, caller, changed) };
}
