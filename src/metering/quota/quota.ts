// The quota: the balance of a month, and where its units come from (decisions, Quota and invoices).
// Always true: grants - sum of the ledger and of its daily totals = balance, and the balance is never negative.

import { consoleErrors } from "../../contract/console/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { monthOf } from "../../platform/time.ts";
import * as store from "./quota.store.ts";

/** The add-on packages, in units. */
export const packages = { "100K": 100_000, "500K": 500_000, "1M": 1_000_000 } as const;
export type PackageName = keyof typeof packages;

/** Opens this month with the workspace's allowance, unless it is open already. @returns its balance. @throws Refusal `not_found` */
export async function openMonth(transaction: Transaction, workspaceId: string): Promise<number> {
  const month = monthOf(transaction.now);
  const balance = await store.findBalance(transaction, workspaceId, month);
  if (balance !== undefined) return balance;
  const units = await store.insertMonth(transaction, workspaceId, month);
  if (units !== undefined)
    await store.insertGrant(transaction, workspaceId, { month, kind: "monthly", units, reference: null });
  const opened = await store.findBalance(transaction, workspaceId, month);
  if (opened === undefined) throw consoleErrors.notFound("workspace", workspaceId);
  return opened;
}

export interface Quota {
  readonly workspace_id: string;
  readonly month: string;
  /** The balance: granted - used. */
  readonly remaining: number;
  readonly granted: number;
  readonly used: number;
  /** Units drawn from the monthly allowance, which the month's invoice bills. */
  readonly used_of_allowance: number;
  /** In the order in which they are drawn. */
  readonly grants: readonly (store.Grant & { remaining: number })[];
}

export async function readQuota(transaction: Transaction, workspaceId: string): Promise<Quota> {
  const remaining = await openMonth(transaction, workspaceId);
  const month = monthOf(transaction.now);
  const grants = await store.listGrants(transaction, workspaceId, month);
  const granted = grants.reduce((sum, grant) => sum + grant.units, 0);
  let undrawn = granted - remaining;
  const drawn = grants.map((grant) => {
    const taken = Math.min(undrawn, grant.units);
    undrawn -= taken;
    return { ...grant, remaining: grant.units - taken };
  });
  const used_of_allowance = drawn
    .filter((grant) => grant.kind === "monthly")
    .reduce((sum, grant) => sum + grant.units - grant.remaining, 0);
  return {
    workspace_id: workspaceId,
    month,
    remaining,
    granted,
    used: granted - remaining,
    used_of_allowance,
    grants: drawn,
  };
}

/**
 * Credits an add-on package. The same reference with the same workspace and package credits once and succeeds each time.
 * @throws Refusal `not_found`; `conflict` for a reference of another workspace or package
 */
export async function grantPackage(
  transaction: Transaction,
  workspaceId: string,
  packageName: PackageName,
  reference: string,
): Promise<Quota & { credited: boolean }> {
  await openMonth(transaction, workspaceId);
  const month = monthOf(transaction.now);
  const units = packages[packageName];
  store.lockForBalanceChange(transaction, workspaceId, month);
  // A simultaneous report of the same payment waits for this insert.
  const credited = await store.insertGrant(transaction, workspaceId, { month, kind: packageName, units, reference });
  if (credited) store.credit(transaction, workspaceId, month, units);
  else {
    const earlier = await store.findGrantByReference(transaction, reference);
    if (earlier?.workspace_id !== workspaceId || earlier.kind !== packageName)
      throw consoleErrors.paymentReferenceUsed(reference);
  }
  return { ...(await readQuota(transaction, workspaceId)), credited };
}
