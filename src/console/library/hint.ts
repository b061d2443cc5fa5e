// What a page learns of changes in these teams.
import { canAccess } from "../../library/access.ts";
import type { Caller } from "../../library/call.ts";

/** @returns the teams that the person can access; null, for any team, where a team was deleted */
export const hintFor = (caller: Caller, teamIds: readonly string[]): string[] | null =>
  teamIds.some((id) => caller.deletedTeamIds.has(id)) ? null : teamIds.filter((id) => canAccess(caller, id));
