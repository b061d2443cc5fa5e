// The rows of warnings: how much of each quota is used, who is warned, and which warnings were sent.
import type { Transaction } from "../../platform/database/database.ts";
import { list, sql } from "../../platform/database/sql.ts";

const nil = "00000000-0000-0000-0000-000000000000";

/** The position before the first workspace. */
export const beforeAllWorkspaces = nil;

export interface MonthOfWorkspace {
  readonly id: string;
  readonly name: string;
  /** Null before the month is opened. */
  readonly balance: number | null;
  readonly granted: number;
  readonly has_administrators: boolean;
}

const toMonth = (row: MonthOfWorkspace): MonthOfWorkspace => ({
  ...row,
  has_administrators: Boolean(row.has_administrators),
});

const columns = (month: string) => sql`w.id, w.name,
  (select balance from quota_months m where m.workspace_id = w.id and m.month = ${month}) as balance,
  coalesce((select sum(units) from quota_grants g where g.workspace_id = w.id and g.month = ${month}), 0) as granted,
  exists (select 1 from memberships s where s.workspace_id = w.id and s.role in ('owner', 'admin')) as has_administrators`;

/** Lists the next workspaces by id, with their month. */
export async function listMonthsAfter(
  transaction: Transaction,
  after: string,
  month: string,
  limit: number,
): Promise<MonthOfWorkspace[]> {
  const rows = await transaction.all<MonthOfWorkspace>(
    sql`select ${columns(month)} from workspaces w where w.id > ${after} and w.deleted_at is null order by w.id limit ${limit}`,
  );
  return rows.map(toMonth);
}

export async function findMonth(
  transaction: Transaction,
  workspaceId: string,
  month: string,
): Promise<MonthOfWorkspace | undefined> {
  const row = await transaction.first<MonthOfWorkspace>(
    sql`select ${columns(month)} from workspaces w where w.id = ${workspaceId}`,
  );
  return row && toMonth(row);
}

/** Records a warning. @returns false where it was sent already */
export async function insertWarning(
  transaction: Transaction,
  workspaceId: string,
  month: string,
  percent: number,
): Promise<boolean> {
  const inserted = await transaction.run(
    sql`insert into quota_warnings (workspace_id, month, percent, created_at)
        values (${workspaceId}, ${month}, ${percent}, ${transaction.now})
        on conflict (workspace_id, month, percent) do nothing`,
  );
  return inserted === 1;
}

export interface SentWarning {
  readonly workspace_id: string;
  readonly percent: number;
}

export const listWarnings = (
  transaction: Transaction,
  workspaceIds: readonly string[],
  month: string,
): Promise<SentWarning[]> =>
  transaction.all<SentWarning>(
    sql`select workspace_id, percent from quota_warnings
        where workspace_id in ${list(workspaceIds)} and month = ${month}`,
  );

export const deleteWarning = (transaction: Transaction, workspaceId: string, month: string, percent: number): void =>
  transaction.send(
    sql`delete from quota_warnings
        where workspace_id = ${workspaceId} and month = ${month} and percent = ${percent}`,
  );

/** The addresses of owners and administrators. */
export async function listAdministrators(transaction: Transaction, workspaceId: string): Promise<string[]> {
  const rows = await transaction.all<{ email: string }>(
    sql`select p.email from memberships m join people p on p.id = m.person_id
        where m.workspace_id = ${workspaceId} and m.role in ('owner', 'admin') order by p.id`,
  );
  return rows.map(({ email }) => email);
}
