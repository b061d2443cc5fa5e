// Changes of a workspace and of its monthly allowance, which take effect with the next call.
import { lockForWorkspaceChange, updateWorkspace, type Workspace } from "../../accounts/workspaces/workspaces.store.ts";
import { requireWorkspace } from "../../accounts/workspaces/workspaces.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { monthOf } from "../../platform/time.ts";
import * as store from "./quota.store.ts";
import { openMonth, readQuota } from "./quota.ts";

/** The fields to change. Undefined leaves a field as it is. */
export interface WorkspaceChanges {
  readonly name?: string | undefined;
  readonly monthly_requests?: number | undefined;
  readonly subscription?: Workspace["subscription"] | undefined;
}

/** @returns the workspace before and after. @throws Refusal `not_found` */
export async function changeWorkspace(
  transaction: Transaction,
  id: string,
  { name, monthly_requests, subscription }: WorkspaceChanges,
): Promise<{ before: Workspace; after: Workspace }> {
  lockForWorkspaceChange(transaction, id);
  const before = await requireWorkspace(transaction, id);
  if (monthly_requests !== undefined) await changeMonthlyGrant(transaction, id, monthly_requests);
  updateWorkspace(transaction, id, {
    name: name ?? before.name,
    monthly_requests: monthly_requests ?? before.monthly_requests,
    subscription: subscription ?? before.subscription,
  });
  return { before, after: await requireWorkspace(transaction, id) };
}

/** Applies a changed allowance to this month's grant, which never falls below what was drawn from it. */
async function changeMonthlyGrant(transaction: Transaction, workspaceId: string, allowance: number): Promise<void> {
  // Opens the month with the old allowance where no call has opened it yet: only the row of an open month can be locked.
  await openMonth(transaction, workspaceId);
  store.lockForBalanceChange(transaction, workspaceId, monthOf(transaction.now));
  const quota = await readQuota(transaction, workspaceId);
  const monthly = quota.grants.find((grant) => grant.kind === "monthly");
  const units = Math.max(allowance, quota.used_of_allowance);
  store.updateMonthlyGrant(transaction, workspaceId, quota.month, units);
  store.credit(transaction, workspaceId, quota.month, units - (monthly?.units ?? 0));
}
