import { listInvoices } from "../../src/metering/billing/invoices.ts";
import { changeWorkspace } from "../../src/metering/quota/allowance.ts";
import { grantPackage, type PackageName, readQuota } from "../../src/metering/quota/quota.ts";
import { firstBilledMonth } from "./first-billed-month.ts";
import { expectConsistentBalances } from "./quota-totals.ts";
import type { Started } from "./service.ts";

export const quotaOf = (started: Started) =>
  started.admin((transaction) => readQuota(transaction, started.workspace.id));

export const invoicesOf = (started: Started) =>
  started.admin((transaction) => listInvoices(transaction, started.workspace.id, firstBilledMonth));

export const setAllowance = (started: Started, monthly_requests: number) =>
  started.admin((transaction) => changeWorkspace(transaction, started.workspace.id, { monthly_requests }));

export const buy = (started: Started, name: PackageName, reference: string) =>
  started.admin((transaction) => grantPackage(transaction, started.workspace.id, name, reference));

/** The error that an administrative action fails with, as `name: message`; "done" if it succeeds. */
export const refusedWith = (action: Promise<unknown>): Promise<string> =>
  action.then(
    () => "done",
    (error: Error) => `${error.name}: ${error.message}`,
  );

export const expectConsistentQuota = (started: Started): Promise<void> =>
  expectConsistentBalances(started.rows, started.workspace.id);

/** Makes a call that costs 1. */
export const callOnce = (started: Started) => started.given.tag();
