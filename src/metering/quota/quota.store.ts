// The rows of the quota: one balance per workspace and month, its grants, and the ledger of charges.
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

export interface Grant {
  readonly id: string;
  readonly month: string;
  readonly kind: "monthly" | "100K" | "500K" | "1M";
  readonly units: number;
  readonly reference: string | null;
  readonly created_at: string;
}

/** Adds units to the balance. A negative number subtracts; the balance must not become negative. */
export const credit = (transaction: Transaction, workspaceId: string, month: string, units: number): void =>
  transaction.send(
    sql`update quota_months set balance = balance + ${units} where workspace_id = ${workspaceId} and month = ${month}`,
  );

/** The balance of the month; undefined until the month is opened. */
export async function findBalance(
  transaction: Transaction,
  workspaceId: string,
  month: string,
): Promise<number | undefined> {
  const row = await transaction.first<{ balance: number }>(
    sql`select balance from quota_months where workspace_id = ${workspaceId} and month = ${month}`,
  );
  return row?.balance;
}

/** Opens the month with the workspace's allowance. @returns the allowance; undefined when the month was open already */
export async function insertMonth(
  transaction: Transaction,
  workspaceId: string,
  month: string,
): Promise<number | undefined> {
  const opened = await transaction.first<{ balance: number }>(
    sql`insert into quota_months (workspace_id, month, balance)
        select id, ${month}, monthly_requests from workspaces where id = ${workspaceId}
        on conflict (workspace_id, month) do nothing returning balance`,
  );
  return opened?.balance;
}

/** Locks the month's balance, so that it can be read and then changed. */
export const lockForBalanceChange = (transaction: Transaction, workspaceId: string, month: string): void =>
  transaction.lock(
    "change",
    sql`select month from quota_months where workspace_id = ${workspaceId} and month = ${month}`,
  );

/** @returns false where a grant with this reference exists, and nothing was changed */
export async function insertGrant(
  transaction: Transaction,
  workspaceId: string,
  { month, kind, units, reference }: Omit<Grant, "id" | "created_at">,
): Promise<boolean> {
  const inserted = await transaction.run(
    sql`insert into quota_grants (workspace_id, id, month, kind, units, reference, created_at)
        values (${workspaceId}, ${transaction.newId()}, ${month}, ${kind}, ${units}, ${reference}, ${transaction.now})
        on conflict (reference) do nothing`,
  );
  return inserted === 1;
}

/** Lists the grants of a month in the order in which they are drawn: the allowance, then packages by purchase. */
export const listGrants = (transaction: Transaction, workspaceId: string, month: string): Promise<Grant[]> =>
  transaction.all<Grant>(
    sql`select id, month, kind, units, reference, created_at from quota_grants
        where workspace_id = ${workspaceId} and month = ${month}
        order by case kind when 'monthly' then 0 else 1 end, created_at, id`,
  );

export const findGrantByReference = (
  transaction: Transaction,
  reference: string,
): Promise<(Grant & { workspace_id: string }) | undefined> =>
  transaction.first<Grant & { workspace_id: string }>(
    sql`select id, workspace_id, month, kind, units, reference, created_at from quota_grants
        where reference = ${reference}`,
  );

export const updateMonthlyGrant = (transaction: Transaction, workspaceId: string, month: string, units: number): void =>
  transaction.send(
    sql`update quota_grants set units = ${units}
        where workspace_id = ${workspaceId} and month = ${month} and kind = 'monthly'`,
  );

/** One admitted call, charged or not. */
export interface LedgerEntry {
  readonly id: string;
  readonly workspace_id: string;
  readonly key_id: string;
  readonly key_call: number;
  readonly operation: string;
  readonly status: number;
  readonly units: number;
  readonly balance_after: number;
  /** The team whose resources the call was about; null for none or several. */
  readonly team_id: string | null;
  /** Null for a successful call. */
  readonly error_code: string | null;
  readonly error_message: string | null;
  /** From the receipt of the request until this row is written. */
  readonly duration_microseconds: number;
  readonly client_address: string;
  readonly admitted_at: string;
}

/** Lists the months before `month` with their final balance and grants, newest first. */
export async function listMonths(
  transaction: Transaction,
  workspaceId: string,
  month: string,
): Promise<{ month: string; balance: number; grants: Grant[] }[]> {
  const months = await transaction.all<{ month: string; balance: number }>(
    sql`select month, balance from quota_months
        where workspace_id = ${workspaceId} and month < ${month} order by month desc`,
  );
  const grants = await transaction.all<Grant>(
    sql`select id, month, kind, units, reference, created_at from quota_grants
        where workspace_id = ${workspaceId} and month < ${month}
        order by case kind when 'monthly' then 0 else 1 end, created_at, id`,
  );
  const byMonth = Map.groupBy(grants, (grant) => grant.month);
  return months.map((row) => ({
    month: row.month,
    balance: row.balance,
    grants: byMonth.get(row.month) ?? [],
  }));
}
