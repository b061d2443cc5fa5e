// The parties of an invoice: its seller and its buyer. They are stored when an invoice is first opened, so that it never changes afterwards.
import { findWorkspace } from "../../accounts/workspaces/workspaces.store.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { findInvoice, type Invoice } from "./invoices.ts";
import { findDetails, findParties, insertParties, type Parties, type Party } from "./parties.store.ts";

/** The seller, from the settings. */
export interface Seller {
  readonly party: Party;
  /** False where the settings name no seller. The address of the instance replaces it, and is not stored. */
  readonly isNamed: boolean;
}

/** @param origin the instance's address */
export const sellerOf = (seller: Party | undefined, origin: string): Seller => ({
  party: seller ?? { name: new URL(origin).host, address: [origin], tax_id: null },
  isNamed: seller !== undefined,
});

export type OpenedInvoice = Invoice & Parties;

/** One month's invoice with its parties; undefined where there is none. */
export async function openInvoice(
  transaction: Transaction,
  workspaceId: string,
  month: string,
  { party: seller, isNamed }: Seller,
): Promise<OpenedInvoice | undefined> {
  const invoice = await findInvoice(transaction, workspaceId, month);
  if (!invoice) return undefined;
  const stored = await findParties(transaction, workspaceId, month);
  if (stored) return { ...invoice, ...stored };
  const parties = { seller, billed_to: await findBilledTo(transaction, workspaceId) };
  if (!isNamed) return { ...invoice, ...parties };
  insertParties(transaction, workspaceId, month, parties);
  // Another call may have stored them first.
  return { ...invoice, ...((await findParties(transaction, workspaceId, month)) ?? parties) };
}

/** The buyer of the next invoice: the billing details, else the workspace's name. */
export async function findBilledTo(transaction: Transaction, workspaceId: string): Promise<Party> {
  const details = await findDetails(transaction, workspaceId);
  if (details) return details;
  const workspace = await findWorkspace(transaction, workspaceId);
  return { name: workspace?.name ?? "", address: [], tax_id: null };
}
