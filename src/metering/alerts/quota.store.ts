// The rows of alerts about quotas: how much of each quota is used, and which alerts were sent.
import type { Transaction } from "../../platform/database/database.ts";
import { list, sql } from "../../platform/database/sql.ts";
import { reachesSomebody } from "./settings.store.ts";

const nil = "00000000-0000-0000-0000-000000000000";

/** The position before the first workspace. */
export const beforeAllWorkspaces = nil;

export interface MonthOfWorkspace {
  readonly id: string;
  readonly name: string;
  /** Null before the month is opened. */
  readonly balance: number | null;
  readonly granted: number;
}

const columns = (month: string) => sql`w.id, w.name,
  (select balance from quota_months m where m.workspace_id = w.id and m.month = ${month}) as balance,
  coalesce((select sum(units) from quota_grants g where g.workspace_id = w.id and g.month = ${month}), 0) as granted`;

/** The workspaces `w` whose alerts about their quota reach somebody. */
const alerted = (hasMail: boolean) =>
  sql`workspaces w join alert_settings s on s.workspace_id = w.id and s.is_quota_on = ${true} and ${reachesSomebody(hasMail)}`;

/** Lists the next of these workspaces by id, with their month. */
export const listMonthsAfter = (
  transaction: Transaction,
  after: string,
  month: string,
  hasMail: boolean,
  limit: number,
): Promise<MonthOfWorkspace[]> =>
  transaction.all<MonthOfWorkspace>(
    sql`select ${columns(month)} from ${alerted(hasMail)}
        where w.id > ${after} and w.deleted_at is null order by w.id limit ${limit}`,
  );

/** @returns undefined where the alert would no longer reach anybody */
export const findMonth = (
  transaction: Transaction,
  workspaceId: string,
  month: string,
  hasMail: boolean,
): Promise<MonthOfWorkspace | undefined> =>
  transaction.first<MonthOfWorkspace>(
    sql`select ${columns(month)} from ${alerted(hasMail)} where w.id = ${workspaceId}`,
  );

/** Records an alert. @returns false where it was sent already */
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
