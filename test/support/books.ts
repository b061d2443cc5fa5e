// The books of a workspace, added up from the tables by hand: an oracle that shares nothing with the code that keeps them.
import { expect } from "bun:test";

type Rows = <Row>(text: string, ...values: (string | number)[]) => Row[];

interface Month {
  readonly month: string;
  readonly balance: number;
  readonly granted: number;
  readonly monthlyGrants: number;
  readonly drawn: number;
}

/** Every month of the workspace, oldest first. */
export const monthsOf = (rows: Rows, workspaceId: string): Month[] =>
  rows<Month>(
    `select m.month, m.balance,
       (select coalesce(sum(g.units), 0) from quota_grants g
         where g.workspace_id = m.workspace_id and g.month = m.month) as granted,
       (select count(*) from quota_grants g
         where g.workspace_id = m.workspace_id and g.month = m.month and g.kind = 'monthly') as monthlyGrants,
       (select coalesce(sum(l.units), 0) from ledger l
         where l.workspace_id = m.workspace_id and substr(l.admitted_at, 1, 7) = m.month) as drawn
     from quota_months m where m.workspace_id = ? order by m.month`,
    workspaceId,
  );

/** grants - ledger = balance, never negative, one monthly grant a month, and no row outside an opened month. */
export function expectBooksToBalance(rows: Rows, workspaceId: string): void {
  const months = monthsOf(rows, workspaceId);
  for (const { month, balance, granted, drawn, monthlyGrants } of months) {
    expect({ month, balance, monthlyGrants }).toEqual({ month, balance: granted - drawn, monthlyGrants: 1 });
    expect(balance).toBeGreaterThanOrEqual(0);
  }
  const [ledger] = rows<{ drawn: number }>(
    "select coalesce(sum(units), 0) as drawn from ledger where workspace_id = ?",
    workspaceId,
  );
  expect(months.reduce((sum, { drawn }) => sum + drawn, 0)).toBe(ledger?.drawn ?? 0);
}
