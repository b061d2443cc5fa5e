// The rows of issued invoices with their numbers, and the billing details of workspaces.
import type { Transaction } from "../../platform/database/database.ts";
import { fromJson, sql } from "../../platform/database/sql.ts";

/** The seller or the buyer of an invoice. */
export interface Party {
  readonly name: string;
  /** One entry per line. */
  readonly address: string[];
  readonly tax_id: string | null;
}

/** The seller, and where to pay. */
export type Seller = Party & {
  /** One entry per line. */
  readonly bank: string[];
};

/** The tax that prices include. */
export interface Tax {
  readonly name: string;
  /** 19% is 1900. */
  readonly basis_points: number;
}

/** What an invoice says besides its amounts. */
export interface Terms {
  readonly seller: Seller;
  readonly billed_to: Party;
  readonly tax: Tax | null;
}

/** An invoice as it was issued. */
export interface Issue extends Terms {
  /** Prefix and number: INV-000042. */
  readonly number: string;
  readonly issued_at: string;
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

interface IssueRow {
  readonly month: string;
  readonly number_prefix: string;
  readonly number: number;
  readonly seller: string;
  readonly billed_to: string;
  readonly tax: string | null;
  readonly issued_at: string;
}

const numberDigits = 6;

const toIssue = (row: IssueRow): Issue => ({
  number: `${row.number_prefix}${String(row.number).padStart(numberDigits, "0")}`,
  issued_at: row.issued_at,
  seller: fromJson<Seller>(row.seller),
  billed_to: fromJson<Party>(row.billed_to),
  tax: row.tax === null ? null : fromJson<Tax>(row.tax),
});

/** The issued invoices of a workspace, by month. */
export async function findIssues(transaction: Transaction, workspaceId: string): Promise<ReadonlyMap<string, Issue>> {
  const rows = await transaction.all<IssueRow>(
    sql`select month, number_prefix, number, seller, billed_to, tax, issued_at from invoices
        where workspace_id = ${workspaceId}`,
  );
  return new Map(rows.map((row) => [row.month, toIssue(row)]));
}

/** Locks the numbers of a prefix, so that invoices are issued one after another. @returns the newest number, 0 before the first */
export async function lockNumbers(transaction: Transaction, prefix: string): Promise<number> {
  transaction.send(
    sql`insert into invoice_numbers (number_prefix, newest) values (${prefix}, 0) on conflict (number_prefix) do nothing`,
  );
  transaction.lock("change", sql`select newest from invoice_numbers where number_prefix = ${prefix}`);
  const row = await transaction.first<{ newest: number }>(
    sql`select newest from invoice_numbers where number_prefix = ${prefix}`,
  );
  return row?.newest ?? 0;
}

/** Stores an invoice under a number that the caller has locked. */
export function insertIssue(
  transaction: Transaction,
  workspaceId: string,
  month: string,
  prefix: string,
  number: number,
  { seller, billed_to, tax }: Terms,
): void {
  const taxJson = tax && JSON.stringify(tax);
  transaction.send(
    sql`insert into invoices (workspace_id, month, number_prefix, number, seller, billed_to, tax, issued_at)
        values (${workspaceId}, ${month}, ${prefix}, ${number}, ${JSON.stringify(seller)}, ${JSON.stringify(billed_to)},
          ${taxJson}, ${transaction.now})`,
  );
  transaction.send(sql`update invoice_numbers set newest = ${number} where number_prefix = ${prefix}`);
}

export interface MonthToIssue {
  readonly workspace_id: string;
  readonly month: string;
}

/** Lists the next finished months that have something to bill and no invoice yet, in the order of workspaces and months. */
export const listMonthsToIssue = (
  transaction: Transaction,
  { workspace_id, month }: MonthToIssue,
  { from, before }: { readonly from: string; readonly before: string },
  limit: number,
): Promise<MonthToIssue[]> =>
  transaction.all<MonthToIssue>(
    sql`select workspace_id, month from quota_months m
        where (workspace_id, month) > (${workspace_id}, ${month}) and month >= ${from} and month < ${before}
          and not exists (select 1 from invoices i where i.workspace_id = m.workspace_id and i.month = m.month)
          and (select sum(case g.kind when 'monthly' then g.units else g.units + 1 end) from quota_grants g
               where g.workspace_id = m.workspace_id and g.month = m.month) > balance
        order by workspace_id, month limit ${limit}`,
  );
