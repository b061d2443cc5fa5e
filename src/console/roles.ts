// How the actor of a call stands to its workspace, for rules that the one action of a row does not tell. Read anew, in the call's
// transaction: what was true at the gate may have been taken from them by whoever held the rows since.

import { findRole, findTeamRoles } from "../accounts/people/sessions.store.ts";
import { type Action, reachOf, type Standing } from "../contract/console/actions.ts";
import type { ConsoleCall } from "./call.ts";

type Standpoint = Pick<ConsoleCall, "transaction" | "actor" | "workspaceId">;

export const standingOf = async ({ transaction, actor, workspaceId }: Standpoint): Promise<Standing> => ({
  isOperator: actor.isOperator,
  role: await findRole(transaction, workspaceId, actor.personId),
  teams: await findTeamRoles(transaction, workspaceId, actor.personId),
});

/** Whether the action is theirs in the whole workspace. */
export const mayInAll = async (call: Standpoint, action: Action): Promise<boolean> =>
  reachOf(await standingOf(call), action) === "all";
