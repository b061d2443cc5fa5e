// What a page learns of changes in these teams.
import { isMemberOfAny } from "../../accounts/members/members.store.ts";
import { canAccess } from "../../library/access.ts";
import type { Caller } from "../../library/call.ts";
import type { Transaction } from "../../platform/database/database.ts";

/** @returns the teams that the person can access; null, for any team, where one was deleted that they could access */
export async function hintFor(
  transaction: Transaction,
  caller: Caller,
  teamIds: readonly string[],
): Promise<string[] | null> {
  const deleted = teamIds.filter((id) => caller.deletedTeamIds.has(id));
  if (deleted.length > 0) {
    const { isAllTeams, workspaceId, id } = caller;
    if (isAllTeams || (await isMemberOfAny(transaction, workspaceId, id, deleted))) return null;
  }
  return teamIds.filter((id) => canAccess(caller, id));
}
