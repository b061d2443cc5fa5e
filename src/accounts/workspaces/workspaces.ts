// Workspaces and their teams: the paying customer, and what its snippets belong to (decisions, section 1).

import { consoleErrors } from "../../contract/console/errors.ts";
import { balanceOf, changeMonthlyGrant } from "../../metering/quota/quota.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { insertTeam, listTeams as listTeamRows, type Team } from "./teams.store.ts";
import { findWorkspace, insertWorkspace, updateWorkspace, type Workspace } from "./workspaces.store.ts";

export { listWorkspaces } from "./workspaces.store.ts";

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
    created_at: transaction.now,
    updated_at: transaction.now,
  };
  insertWorkspace(transaction, workspace);
  return workspace;
}

/** @throws Refusal 404 */
export async function requireWorkspace(transaction: Transaction, id: string): Promise<Workspace> {
  const workspace = await findWorkspace(transaction, id);
  if (!workspace) throw consoleErrors.notFound("workspace", id);
  return workspace;
}

export interface WorkspaceChanges {
  readonly name?: string;
  readonly monthly_requests?: number;
  readonly subscription?: Workspace["subscription"];
}

/** Changes what is given; all of it acts on the next call. */
export async function changeWorkspace(
  transaction: Transaction,
  id: string,
  changes: WorkspaceChanges,
): Promise<Workspace> {
  await requireWorkspace(transaction, id);
  // The month is opened with the old allowance first, so that the change is one of an open month.
  await balanceOf(transaction, id);
  if (changes.monthly_requests !== undefined) await changeMonthlyGrant(transaction, id, changes.monthly_requests);
  updateWorkspace(transaction, id, { ...changes });
  return requireWorkspace(transaction, id);
}

export async function createTeam(transaction: Transaction, workspaceId: string, name: string): Promise<Team> {
  await requireWorkspace(transaction, workspaceId);
  return insertTeam(transaction, workspaceId, name);
}

export async function listTeams(transaction: Transaction, workspaceId: string): Promise<Team[]> {
  await requireWorkspace(transaction, workspaceId);
  return listTeamRows(transaction, workspaceId);
}
