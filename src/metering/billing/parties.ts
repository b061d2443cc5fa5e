// Who bills and who is billed. An invoice takes both from what holds when somebody first opens it, and keeps them: who has seen an invoice
// finds the same one again.

import { findWorkspace } from "../../accounts/workspaces/workspaces.store.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { findInvoice, type Invoice } from "./invoices.ts";
import { findDetails, findParties, keepParties, type Parties, type Party } from "./parties.store.ts";

/** Who bills, as the settings have it. */
export interface Seller {
  readonly party: Party;
  /** An instance that does not say who runs it: its address stands for them, and no invoice is kept with that. */
  readonly isNamed: boolean;
}

/** @param origin the instance's address */
export const sellerOf = (seller: Party | undefined, origin: string): Seller => ({
  party: seller ?? { name: new URL(origin).host, address: [origin], tax_id: null },
  isNamed: seller !== undefined,
});

export type OpenedInvoice = Invoice & Parties;

/** One month's invoice with both its sides; undefined where there is none. */
export async function openInvoice(
  transaction: Transaction,
  workspaceId: string,
  month: string,
  { party: seller, isNamed }: Seller,
): Promise<OpenedInvoice | undefined> {
  const invoice = await findInvoice(transaction, workspaceId, month);
  if (!invoice) return undefined;
  const kept = await findParties(transaction, workspaceId, month);
  if (kept) return { ...invoice, ...kept };
  const parties = { seller, billed_to: await findBilledTo(transaction, workspaceId) };
  if (!isNamed) return { ...invoice, ...parties };
  keepParties(transaction, workspaceId, month, parties);
  return { ...invoice, ...((await findParties(transaction, workspaceId, month)) ?? parties) };
}

/** Whom the next invoice is made out to: the workspace by its name, where nothing else was said. */
export async function findBilledTo(transaction: Transaction, workspaceId: string): Promise<Party> {
  const details = await findDetails(transaction, workspaceId);
  if (details) return details;
  const workspace = await findWorkspace(transaction, workspaceId);
  return { name: workspace?.name ?? "", address: [], tax_id: null };
}
