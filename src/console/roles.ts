// The roles of a call's actor in its workspace, for rules that ask for more than the action of their row. They are read again in the
// call's transaction: a right may have been taken away between the authorization of the call and its lock on the rows.
import { findRole, findTeamRoles } from "../accounts/members/members.store.ts";
import { type Action, type Roles, reachOf } from "../contract/console/actions.ts";
import { isInScopes } from "../contract/console/scopes.ts";
import type { ConsoleCall } from "./call.ts";

type CallOfActor = Pick<ConsoleCall, "transaction" | "actor" | "workspaceId">;

export const rolesOf = async ({ transaction, actor, workspaceId }: CallOfActor): Promise<Roles> => ({
  isOperator: actor.isOperator,
  role: await findRole(transaction, workspaceId, actor.personId),
  teams: await findTeamRoles(transaction, workspaceId, actor.personId),
});

/** Whether the action is allowed in the whole workspace. A token needs a scope of its own to change owners, or to make one. */
export const isAllowedEverywhere = async (call: CallOfActor, action: Action): Promise<boolean> => {
  const { scopes } = call.actor;
  if (scopes && action === "owners.manage" && !isInScopes(scopes, action, "write")) return false;
  return reachOf(await rolesOf(call), action) === "all";
};
