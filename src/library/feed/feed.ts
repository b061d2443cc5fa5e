// The change feed: every change that the caller can access, once and in one order (decisions, Additional operations).
import { requireTeams } from "../access.ts";
import type { Handler } from "../call.ts";
import { findEnd, readFeed } from "./read.ts";

export const getChanges: Handler<"getChanges"> = async (call, { query: { cursor, teamId, limit } }) => {
  const { transaction, caller, feedCursors } = call;
  if (!feedCursors) throw new Error("Only the API makes cursors of the feed");
  const list = { workspaceId: caller.workspaceId, teamId };
  const from = cursor === undefined ? undefined : feedCursors.read(list, cursor);
  const teams = await requireTeams(call, teamId);
  const { changes, next, hasMore } = from
    ? await readFeed(call, teams, from, limit)
    : { changes: [], next: await findEnd(transaction, caller.workspaceId), hasMore: false };
  return {
    data: { changes: [...changes], cursor: feedCursors.format(list, next), hasMore },
    items: changes.length,
    teamId,
  };
};
