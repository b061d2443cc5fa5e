// The maximums of a workspace: far above what anybody needs, so that no program that runs wild fills the service.
import { consoleErrors } from "../../contract/console/errors.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { countUpTo } from "./maximums.store.ts";
import { lockForWorkspaceChange } from "./workspaces.store.ts";

const maximums = {
  key: consoleLimits.keysMax,
  team: consoleLimits.teamsOfWorkspaceMax,
  member: consoleLimits.membersMax,
} as const;

/** Locks the workspace, so that nothing else is added to it meanwhile. @throws Refusal `conflict` where it has the maximum already */
export async function requireRoomFor(
  transaction: Transaction,
  workspaceId: string,
  what: keyof typeof maximums,
): Promise<void> {
  const most = maximums[what];
  lockForWorkspaceChange(transaction, workspaceId);
  if ((await countUpTo(transaction, what, workspaceId, most)) >= most) throw consoleErrors.tooMany(what, most);
}
