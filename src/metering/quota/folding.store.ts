// The rows of folding: the workspaces with old calls, the calls that leave the ledger, and their daily totals.
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

/** The position before the first workspace. */
export const beforeAllWorkspaces = "00000000-0000-0000-0000-000000000000";

export interface WorkspaceWithCalls {
  readonly id: string;
  /** When its oldest call in the ledger was admitted; null without any. */
  readonly oldest_at: string | null;
}

/** Lists the next workspaces by id. */
export const listWorkspacesAfter = (
  transaction: Transaction,
  after: string,
  limit: number,
): Promise<WorkspaceWithCalls[]> =>
  transaction.all<WorkspaceWithCalls>(
    sql`select w.id, (
          select l.admitted_at from ledger l where l.workspace_id = w.id order by l.admitted_at limit 1
        ) as oldest_at
        from (select id from workspaces where id > ${after} order by id limit ${limit}) w
        order by w.id`,
  );

export interface OldCall {
  readonly key_id: string;
  readonly operation: string;
  readonly status: number;
  readonly units: number;
  readonly admitted_at: string;
}

/**
 * Deletes the first calls of a workspace in a span of time from the ledger and returns exactly those. The span has a beginning so that
 * PostgreSQL does not pass deleted rows again that were not vacuumed yet.
 */
export const deleteCalls = (
  transaction: Transaction,
  workspaceId: string,
  { from, before }: { from: string; before: string },
  limit: number,
): Promise<OldCall[]> =>
  transaction.all<OldCall>(
    sql`delete from ledger where (workspace_id, admitted_at, id) in (
          select workspace_id, admitted_at, id from ledger
          where workspace_id = ${workspaceId} and admitted_at >= ${from} and admitted_at < ${before}
          order by admitted_at, id limit ${limit})
        returning key_id, operation, status, units, admitted_at`,
  );

export interface DayTotal extends Readonly<Record<string, string | number>> {
  readonly workspace_id: string;
  readonly day: string;
  readonly key_id: string;
  readonly operation: string;
  readonly status: number;
  readonly calls: number;
  readonly units: number;
}

/** Adds to totals of keys and days, which another portion may have begun. */
export const addToDays = (transaction: Transaction, totals: readonly DayTotal[]): void =>
  transaction.add("usage_days", ["workspace_id", "day", "key_id", "operation", "status"], totals);
