// The rows of the quota: one balance a workspace and month, the grants that made it, the ledger of what was drawn.
import type { Transaction } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export interface Grant {
  readonly id: string;
  readonly month: string;
  readonly kind: "monthly" | "100K" | "500K" | "1M";
  readonly units: number;
  readonly reference: string | null;
  readonly created_at: string;
}

/** Takes units from the balance if it has them. @returns the balance after, undefined when it was too low */
export async function draw(
  transaction: Transaction,
  workspaceId: string,
  month: string,
  units: number,
): Promise<number | undefined> {
  const row = await transaction.first<{ balance: number }>(
    sql`update quota_months set balance = balance - ${units}
        where workspace_id = ${workspaceId} and month = ${month} and balance >= ${units} returning balance`,
  );
  return row && Number(row.balance);
}

/** Adds units to the balance; a negative number takes away, which must not go below zero. */
export const credit = (transaction: Transaction, workspaceId: string, month: string, units: number): Promise<number> =>
  transaction.run(
    sql`update quota_months set balance = balance + ${units} where workspace_id = ${workspaceId} and month = ${month}`,
  );

/** The balance of the month, undefined until it is opened. */
export async function findBalance(
  transaction: Transaction,
  workspaceId: string,
  month: string,
): Promise<number | undefined> {
  const row = await transaction.first<{ balance: number }>(
    sql`select balance from quota_months where workspace_id = ${workspaceId} and month = ${month}`,
  );
  return row && Number(row.balance);
}

/** Opens the month with the workspace's allowance, once. @returns the allowance, undefined when the month was open already */
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
  return opened && Number(opened.balance);
}

export const insertGrant = (
  transaction: Transaction,
  workspaceId: string,
  grant: Omit<Grant, "id" | "created_at">,
): Promise<void> =>
  transaction.insert("quota_grants", [
    { workspace_id: workspaceId, id: transaction.newId(), ...grant, created_at: transaction.now },
  ]);

/** The grants of a month: the allowance first, then add-ons in order of purchase, which is the order they are drawn in. */
export const listGrants = (transaction: Transaction, workspaceId: string, month: string): Promise<Grant[]> =>
  transaction.all<Grant>(
    sql`select id, month, kind, units, reference, created_at from quota_grants
        where workspace_id = ${workspaceId} and month = ${month}
        order by case kind when 'monthly' then 0 else 1 end, id`,
  );

export const findGrantByReference = (
  transaction: Transaction,
  reference: string,
): Promise<(Grant & { workspace_id: string }) | undefined> =>
  transaction.first<Grant & { workspace_id: string }>(
    sql`select id, workspace_id, month, kind, units, reference, created_at from quota_grants
        where reference = ${reference}`,
  );

export const updateMonthlyGrant = (
  transaction: Transaction,
  workspaceId: string,
  month: string,
  units: number,
): Promise<number> =>
  transaction.run(
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
}

export const insertLedgerEntry = (transaction: Transaction, entry: LedgerEntry): Promise<number> =>
  transaction.run(
    sql`insert into ledger (workspace_id, id, key_id, key_call, operation, status, units, balance_after, admitted_at)
        values (${entry.workspace_id}, ${entry.id}, ${entry.key_id}, ${entry.key_call}, ${entry.operation},
          ${entry.status}, ${entry.units}, ${entry.balance_after}, ${transaction.now})`,
  );

export interface UsageRow {
  readonly calls: number;
  readonly units: number;
}

/** Calls and units from one moment to just before another, by operation. */
export const sumByOperation = (
  transaction: Transaction,
  workspaceId: string,
  from: string,
  before: string,
): Promise<(UsageRow & { operation: string })[]> =>
  transaction.all(
    sql`select operation, count(*) as calls, sum(units) as units from ledger
        where workspace_id = ${workspaceId} and admitted_at >= ${from} and admitted_at < ${before}
        group by operation order by units desc, calls desc, operation`,
  );

/** Calls and units from one moment to just before another, by key; deleted keys keep their name. */
export const sumByKey = (
  transaction: Transaction,
  workspaceId: string,
  from: string,
  before: string,
): Promise<(UsageRow & { key_id: string; name: string; secret_start: string })[]> =>
  transaction.all(
    sql`select k.id as key_id, k.name, k.secret_start, count(*) as calls, sum(l.units) as units
        from api_keys k join ledger l on l.workspace_id = k.workspace_id and l.key_id = k.id
        where k.workspace_id = ${workspaceId} and l.admitted_at >= ${from} and l.admitted_at < ${before}
        group by k.id, k.name, k.secret_start order by units desc, calls desc, k.id`,
  );

/** The months before `month` with their final balance and grants, newest first. */
export async function listMonths(
  transaction: Transaction,
  workspaceId: string,
  month: string,
): Promise<{ month: string; balance: number; grants: Grant[] }[]> {
  const months = await transaction.all<{ month: string; balance: number }>(
    sql`select month, balance from quota_months
        where workspace_id = ${workspaceId} and month < ${month} order by month desc`,
  );
  const listed = [];
  for (const row of months) {
    const grants = await listGrants(transaction, workspaceId, row.month);
    listed.push({
      month: row.month,
      balance: Number(row.balance),
      grants: grants.map((grant) => ({ ...grant, units: Number(grant.units) })),
    });
  }
  return listed;
}
