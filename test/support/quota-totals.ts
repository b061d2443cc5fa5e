// A workspace's quota totals, added up from the tables: a test oracle that shares no code with the service.
import { expect } from "bun:test";

import type { Rows } from "./engine.ts";

interface Month {
  readonly month: string;
  readonly balance: number;
  readonly granted: number;
  readonly monthlyGrants: number;
  readonly drawn: number;
}

interface Units {
  readonly month: string;
  readonly units: number;
}

/** The calendar month of a timestamp or a day. */
const monthOf = (moment: string): string => moment.slice(0, 7);
const sum = (rows: readonly Units[]): number => rows.reduce((total, { units }) => total + units, 0);

/** All units ever charged: by calls still in the ledger, and by the daily totals that replaced older calls. */
async function drawnOf(rows: Rows, workspaceId: string): Promise<Units[]> {
  const calls = await rows<{ at: string; units: number }>(
    "select admitted_at as at, units from ledger where workspace_id = ?",
    workspaceId,
  );
  const days = await rows<{ at: string; units: number }>(
    "select day as at, units from usage_days where workspace_id = ?",
    workspaceId,
  );
  return [...calls, ...days].map(({ at, units }) => ({ month: monthOf(at), units }));
}

/** Every month of the workspace, oldest first. */
export async function monthsOf(rows: Rows, workspaceId: string): Promise<Month[]> {
  const months = await rows<{ month: string; balance: number }>(
    "select month, balance from quota_months where workspace_id = ? order by month",
    workspaceId,
  );
  const grants = await rows<Units & { kind: string }>(
    "select month, kind, units from quota_grants where workspace_id = ?",
    workspaceId,
  );
  const drawn = await drawnOf(rows, workspaceId);
  return months.map(({ month, balance }) => {
    const granted = grants.filter((grant) => grant.month === month);
    return {
      month,
      balance,
      granted: sum(granted),
      monthlyGrants: granted.filter(({ kind }) => kind === "monthly").length,
      drawn: sum(drawn.filter((units) => units.month === month)),
    };
  });
}

/** Fails unless grants - ledger = balance, no balance is negative, each month has one monthly grant, and no call is outside an opened month. */
export async function expectConsistentBalances(rows: Rows, workspaceId: string): Promise<void> {
  const months = await monthsOf(rows, workspaceId);
  for (const { month, balance, granted, drawn, monthlyGrants } of months) {
    expect({ month, balance, monthlyGrants }).toEqual({ month, balance: granted - drawn, monthlyGrants: 1 });
    expect(balance).toBeGreaterThanOrEqual(0);
  }
  const drawn = await drawnOf(rows, workspaceId);
  expect(months.reduce((total, month) => total + month.drawn, 0)).toBe(sum(drawn));
}
