import { listInvoices } from "../../src/metering/billing/invoices.ts";
import { changeWorkspace } from "../../src/metering/quota/allowance.ts";
import { insertLedgerEntry } from "../../src/metering/quota/quota.store.ts";
import { charge, grantPackage, type PackageName, readQuota } from "../../src/metering/quota/quota.ts";
import { expectConsistentBalances } from "./quota-totals.ts";
import type { Started } from "./service.ts";

export const quotaOf = (started: Started) =>
  started.admin((transaction) => readQuota(transaction, started.workspace.id));

export const invoicesOf = (started: Started) =>
  started.admin((transaction) => listInvoices(transaction, started.workspace.id));

export const invoiceNumber = ({ workspace }: Started, month: string): string =>
  `INV-${month}-${workspace.id.slice(-12).toUpperCase()}`;

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

/** Records a charged call that costs this much: more units than a test could use up by making calls. */
export const use = (started: Started, units: number) =>
  started.admin(async (transaction) => {
    await readQuota(transaction, started.workspace.id);
    const balance = await charge(transaction, started.workspace.id, units);
    if (balance === undefined) throw new Error(`the workspace does not have ${units} units`);
    await insertLedgerEntry(transaction, {
      id: transaction.newId(),
      workspace_id: started.workspace.id,
      key_id: started.emptyKey.id,
      key_call: 1_000_000 - balance,
      operation: "getSnippets",
      status: 200,
      units,
      balance_after: balance,
      team_id: null,
      error_code: null,
      error_message: null,
      duration_microseconds: 0,
      client_address: "127.0.0.1",
    });
  });

/** Makes a call that costs 1. */
export const callOnce = (started: Started) => started.given.tag();
