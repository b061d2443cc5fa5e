// The credit limit: what a workspace may buy on invoice before it is paid (decisions, Quota and invoices). What is open is the sum of
// its payments, so that nothing can get out of step.
import { lockForWorkspaceChange } from "../../accounts/workspaces/workspaces.store.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { usd } from "../billing/price.ts";
import * as store from "./payments.store.ts";

export interface Credit {
  readonly limit_cents: number;
  /** Bought on invoice and not paid yet. The operator is not bound by the limit, so it may be more. */
  readonly open_cents: number;
  readonly remaining_cents: number;
}

/** @throws Refusal `not_found` */
export async function readCredit(transaction: Transaction, workspaceId: string): Promise<Credit> {
  const row = await store.findCredit(transaction, workspaceId);
  if (!row) throw consoleErrors.notFound("workspace", workspaceId);
  const { limit_cents, open_cents } = row;
  return { limit_cents, open_cents, remaining_cents: Math.max(0, limit_cents - open_cents) };
}

/** The caller has locked the workspace. @throws Refusal `conflict` where less remains */
export async function requireCredit(transaction: Transaction, workspaceId: string, cents: number): Promise<void> {
  const { remaining_cents, limit_cents } = await readCredit(transaction, workspaceId);
  if (cents > remaining_cents) throw consoleErrors.creditExceeded(usd(cents), usd(remaining_cents), usd(limit_cents));
}

/** What is open stays open where the limit is lowered. @returns the credit before and after. @throws Refusal `not_found` */
export async function changeCreditLimit(
  transaction: Transaction,
  workspaceId: string,
  cents: number,
): Promise<{ before: Credit; after: Credit }> {
  lockForWorkspaceChange(transaction, workspaceId);
  const before = await readCredit(transaction, workspaceId);
  store.updateCreditLimit(transaction, workspaceId, cents);
  return { before, after: await readCredit(transaction, workspaceId) };
}
