// The rows of folding: the keys with old calls, the calls that leave the ledger, and their daily totals.
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

export interface KeyPosition {
  readonly workspace_id: string;
  readonly id: string;
}

const nil = "00000000-0000-0000-0000-000000000000";

/** The position before the first key of all workspaces. */
export const beforeAllKeys: KeyPosition = { workspace_id: nil, id: nil };

export interface KeyWithCalls extends KeyPosition {
  /** When its oldest call in the ledger was admitted; null without any. */
  readonly oldest_at: string | null;
}

/**
 * Lists the next keys by workspace and id, deleted ones too. It reads the oldest call by the index; a condition on its time could make
 * PostgreSQL read the whole ledger.
 */
export const listKeysAfter = (transaction: Transaction, after: KeyPosition, limit: number): Promise<KeyWithCalls[]> =>
  transaction.all<KeyWithCalls>(
    sql`select k.workspace_id, k.id, (
          select l.admitted_at from ledger l where l.workspace_id = k.workspace_id and l.key_id = k.id
          order by l.admitted_at, l.key_call limit 1
        ) as oldest_at
        from (select workspace_id, id from api_keys where (workspace_id, id) > (${after.workspace_id}, ${after.id})
              order by workspace_id, id limit ${limit}) k
        order by k.workspace_id, k.id`,
  );

export interface OldCall {
  readonly key_call: number;
  readonly operation: string;
  readonly status: number;
  readonly team_id: string | null;
  readonly units: number;
  readonly admitted_at: string;
}

/**
 * Deletes the first calls of a key in a span of time from the ledger and returns exactly those. The span has a beginning so that
 * PostgreSQL does not pass deleted rows again that were not vacuumed yet.
 */
export const deleteCalls = (
  transaction: Transaction,
  workspaceId: string,
  keyId: string,
  { from, before }: { from: string; before: string },
  limit: number,
): Promise<OldCall[]> =>
  transaction.all<OldCall>(
    sql`delete from ledger where workspace_id = ${workspaceId} and id in (
          select id from ledger where workspace_id = ${workspaceId} and key_id = ${keyId}
            and admitted_at >= ${from} and admitted_at < ${before}
          order by admitted_at, key_call limit ${limit})
        returning key_call, operation, status, team_id, units, admitted_at`,
  );

export interface DayTotal {
  readonly day: string;
  readonly operation: string;
  readonly status: number;
  readonly calls: number;
  readonly units: number;
}

/** Adds to a key's total of a day, which another portion may have begun. */
export const addToDay = (
  transaction: Transaction,
  workspaceId: string,
  keyId: string,
  { day, operation, status, calls, units }: DayTotal,
): void =>
  transaction.send(
    sql`insert into usage_days (workspace_id, day, key_id, operation, status, calls, units)
        values (${workspaceId}, ${day}, ${keyId}, ${operation}, ${status}, ${calls}, ${units})
        on conflict (workspace_id, day, key_id, operation, status)
        do update set calls = usage_days.calls + excluded.calls, units = usage_days.units + excluded.units`,
  );
