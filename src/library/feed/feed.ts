// The change feed: every change that the caller can access, once and in one order (decisions, Additional operations).
import { requireTeams } from "../access.ts";
import type { Handler } from "../call.ts";
import { formatCursor } from "../cursor.ts";
import { feedList, findEnd, readFeed, readPosition } from "./read.ts";

export const getChanges: Handler<"getChanges"> = async (call, { query: { since, teamId, limit } }) => {
  const { transaction, caller } = call;
  const list = feedList(caller, teamId);
  const from = readPosition(list, since);
  await requireTeams(call, teamId);
  const { changes, next, hasMore } = from
    ? await readFeed(call, teamId, from, limit)
    : { changes: [], next: await findEnd(transaction, caller.workspaceId), hasMore: false };
  return {
    data: { changes: [...changes], cursor: formatCursor(list, next), hasMore },
    items: changes.length,
    teamId,
  };
};
