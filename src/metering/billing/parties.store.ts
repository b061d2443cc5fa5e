// The rows of sellers and buyers: the billing details of workspaces, and the parties of opened invoices.
import type { Transaction } from "../../platform/database/database.ts";
import { fromJson, sql } from "../../platform/database/sql.ts";

/** The seller or the buyer of an invoice. */
export interface Party {
  readonly name: string;
  /** One entry per line. */
  readonly address: string[];
  readonly tax_id: string | null;
}

export interface Parties {
  readonly seller: Party;
  readonly billed_to: Party;
}

/** The billing details of a workspace; undefined where it has set none. */
export async function findDetails(transaction: Transaction, workspaceId: string): Promise<Party | undefined> {
  const row = await transaction.first<{ name: string; address: string; tax_id: string | null }>(
    sql`select name, address, tax_id from billing_details where workspace_id = ${workspaceId}`,
  );
  return row && { ...row, address: fromJson<string[]>(row.address) };
}

export const saveDetails = (transaction: Transaction, workspaceId: string, { name, address, tax_id }: Party): void =>
  transaction.send(
    sql`insert into billing_details (workspace_id, name, address, tax_id, updated_at)
        values (${workspaceId}, ${name}, ${JSON.stringify(address)}, ${tax_id}, ${transaction.now})
        on conflict (workspace_id) do update
          set name = excluded.name, address = excluded.address, tax_id = excluded.tax_id, updated_at = excluded.updated_at`,
  );

export async function findParties(
  transaction: Transaction,
  workspaceId: string,
  month: string,
): Promise<Parties | undefined> {
  const row = await transaction.first<{ seller: string; billed_to: string }>(
    sql`select seller, billed_to from invoice_parties where workspace_id = ${workspaceId} and month = ${month}`,
  );
  return row && { seller: fromJson<Party>(row.seller), billed_to: fromJson<Party>(row.billed_to) };
}

/** Stores the parties of an invoice unless they are stored already. */
export const insertParties = (
  transaction: Transaction,
  workspaceId: string,
  month: string,
  { seller, billed_to }: Parties,
): void =>
  transaction.send(
    sql`insert into invoice_parties (workspace_id, month, seller, billed_to, created_at)
        values (${workspaceId}, ${month}, ${JSON.stringify(seller)}, ${JSON.stringify(billed_to)}, ${transaction.now})
        on conflict (workspace_id, month) do nothing`,
  );
