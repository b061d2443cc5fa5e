// What was changed in the library since a page has asked before: for pages that cannot keep a stream open.
import { canAccess } from "../../library/access.ts";
import type { Caller } from "../../library/call.ts";
import { listRecentChanges } from "../../library/recent-changes.store.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { addMilliseconds, minuteMilliseconds } from "../../platform/time.ts";
import { cursorInvalid, formatCursor, isMoment, parseCursor } from "../paging.ts";
import { overlapMilliseconds } from "./live.ts";

/** A page that has not asked for longer reads everything again. */
const askedWithinMilliseconds = 10 * minuteMilliseconds;

/** @returns the teams in which something was changed, null for any, and the position to ask with the next time */
export async function readChanges(transaction: Transaction, caller: Caller, since: string | undefined) {
  const { now } = transaction;
  const position = formatCursor([now]);
  const [asked] = parseCursor(since, 1) ?? [];
  if (asked === undefined) return { position, teamIds: [] };
  if (!isMoment(asked)) throw cursorInvalid();
  if (asked < addMilliseconds(now, -askedWithinMilliseconds)) return { position, teamIds: null };
  const from = addMilliseconds(asked, -overlapMilliseconds);
  const found = await listRecentChanges(transaction, [caller.workspaceId], from);
  const teamIds = new Set(found.map((row) => row.team_id));
  if (teamIds.has(null)) return { position, teamIds: null };
  return { position, teamIds: [...teamIds].filter((id) => id !== null && canAccess(caller, id)) as string[] };
}
