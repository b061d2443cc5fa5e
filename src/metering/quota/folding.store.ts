// The rows of folding: the keys that have old calls, the calls that leave the ledger, and the daily totals that they go into.
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

export interface KeyPlace {
  readonly workspace_id: string;
  readonly id: string;
}

const nil = "00000000-0000-0000-0000-000000000000";

/** Where the walk over the keys of all workspaces begins. */
export const beforeAllKeys: KeyPlace = { workspace_id: nil, id: nil };

export interface KeyWithCalls extends KeyPlace {
  /** When its first call was admitted that is still in the ledger; null when there is none. */
  readonly oldest_at: string | null;
}

/**
 * The next keys in order of workspace and id, deleted ones too. The oldest call is the first by the index, and not whether there is one
 * before some moment: for that, PostgreSQL may read the whole ledger.
 */
export const listKeysAfter = (transaction: Transaction, after: KeyPlace, most: number): Promise<KeyWithCalls[]> =>
  transaction.all<KeyWithCalls>(
    sql`select k.workspace_id, k.id, (
          select l.admitted_at from ledger l where l.workspace_id = k.workspace_id and l.key_id = k.id
          order by l.admitted_at, l.key_call limit 1
        ) as oldest_at
        from (select workspace_id, id from api_keys where (workspace_id, id) > (${after.workspace_id}, ${after.id})
              order by workspace_id, id limit ${most}) k
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
 * Takes the first calls of a key from one moment to just before another out of the ledger: it is exactly what it returns. Where the walk
 * begins is given, so that PostgreSQL does not pass all the rows again that went before and were not yet cleared away.
 */
export const takeCalls = (
  transaction: Transaction,
  workspaceId: string,
  keyId: string,
  { from, before }: { from: string; before: string },
  most: number,
): Promise<OldCall[]> =>
  transaction.all<OldCall>(
    sql`delete from ledger where workspace_id = ${workspaceId} and id in (
          select id from ledger where workspace_id = ${workspaceId} and key_id = ${keyId}
            and admitted_at >= ${from} and admitted_at < ${before}
          order by admitted_at, key_call limit ${most})
        returning key_call, operation, status, team_id, units, admitted_at`,
  );

export interface DayTotal {
  readonly day: string;
  readonly operation: string;
  readonly status: number;
  readonly calls: number;
  readonly units: number;
}

/** Adds to a day's total of a key what another portion of the same day may have begun. */
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
