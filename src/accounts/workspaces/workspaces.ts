// Workspaces and their teams: a workspace is the paying customer, and its snippets belong to its teams.
import { consoleErrors } from "../../contract/console/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { requireRoomFor } from "./maximums.ts";
import { insertTeam, type Team, type TeamRow } from "./teams.store.ts";
import { findWorkspace, insertWorkspace, type Workspace } from "./workspaces.store.ts";

export { listWorkspaces } from "./workspaces.store.ts";

/** Creates a workspace with an active subscription. It has no team yet. */
export async function createWorkspace(
  transaction: Transaction,
  name: string,
  monthlyRequests: number,
): Promise<Workspace> {
  const workspace: Workspace = {
    id: transaction.newId(),
    name,
    monthly_requests: monthlyRequests,
    subscription: "active",
    sign_in_policy: "any",
    created_at: transaction.now,
    updated_at: transaction.now,
    deleted_at: null,
  };
  insertWorkspace(transaction, workspace);
  return workspace;
}

/** @throws Refusal `not_found` */
export async function requireWorkspace(transaction: Transaction, id: string): Promise<Workspace> {
  const workspace = await findWorkspace(transaction, id);
  if (!workspace) throw consoleErrors.notFound("workspace", id);
  return workspace;
}

/** @throws Refusal `conflict` where the workspace has the most teams that it can have */
export async function addTeam(
  transaction: Transaction,
  workspaceId: string,
  name: string,
  visibility?: TeamRow["visibility"],
): Promise<Team> {
  await requireRoomFor(transaction, workspaceId, "team");
  return insertTeam(transaction, workspaceId, name, visibility);
}

/** @throws Refusal `not_found` where there is no such workspace */
export async function createTeam(transaction: Transaction, workspaceId: string, name: string): Promise<Team> {
  await requireWorkspace(transaction, workspaceId);
  return addTeam(transaction, workspaceId, name);
}
