// The statements that admit the calls of a group and charge them.
import { deletedTeamIdsOf } from "../../accounts/workspaces/teams.store.ts";
import { limits } from "../../contract/limits.ts";
import type { Moment, Opening, Transaction } from "../../platform/database/database.ts";
import { fromJson, list, type Sql, sql } from "../../platform/database/sql.ts";
import type { LimitColumns } from "../keys/key-limits.ts";
import type { LedgerEntry } from "../quota/quota.store.ts";

/**
 * The calls of a key in the window. Calls up to one window in the future count, so that the correction of a clock does not empty the
 * window. Calls further ahead were recorded by a wrong clock.
 */
const callsInWindow = (moment: Moment): Sql => sql`
  from ledger l where l.workspace_id = k.workspace_id and l.key_id = k.id
    and l.admitted_at > ${moment(-limits.rateWindowSeconds)} and l.admitted_at <= ${moment(limits.rateWindowSeconds)}`;

/**
 * A key's time does not go back: a server's clock that is set back by up to one window, or another server that is behind, would count
 * calls in the wrong order, and could admit as many again.
 */
const notBeforeLastCall = (moment: Moment): Sql =>
  sql`greatest(${moment(0)}, case when k.last_used_at <= ${moment(limits.rateWindowSeconds)} then k.last_used_at end)`;

const deletedTeamIds = deletedTeamIdsOf("k.workspace_id");

/**
 * An active key with everything that admission depends on, read by one statement in the call's own transaction. It uses scalar
 * subqueries because SQLite is several times faster with them than with joins; PostgreSQL is as fast with either.
 */
export interface AdmissionRow extends LimitColumns {
  now: string;
  secret_hash: string;
  id: string;
  workspace_id: string;
  is_all_teams: boolean | number;
  /** JSON: null for a key with access to all teams. */
  team_ids: unknown;
  /** JSON: the deleted teams of the workspace. */
  deleted_team_ids: unknown;
  call_count: number;
  last_used_at: string | null;
  /** Null in a deleted workspace, of which no key is valid. */
  subscription: string | null;
  /** The newest opened month; null before the first. */
  newest_month: string | null;
  /** Number and time of the first call in the window; null when it is empty, undefined where the window was not read. */
  oldest_call?: number | null;
  oldest_at?: string | null;
}

/**
 * The statements that open the transaction of calls with these keys: they lock the keys, then read them. With the lock, the calls of a key
 * run one after another, and each sees the earlier ones in its window. Both statements see the same keys, because a hash is unique.
 * @param isWindowRead false where windows are remembered
 * @param claim what only one transaction can have at a time. Where another one has it, nothing is locked or waited for. PostgreSQL only:
 * SQLite has one writer, and locks nothing.
 */
export function admissionsOf(
  secretHashes: readonly string[],
  isWindowRead: boolean,
  claim?: string,
): Opening<AdmissionRow> {
  const keys = sql`k.secret_hash in ${list(secretHashes)} and k.is_active = ${true}`;
  return {
    lock:
      claim === undefined
        ? sql`select k.id from api_keys k where ${keys} order by k.workspace_id, k.id`
        : sql`select k.id from api_keys k
              where ${keys} and (select pg_try_advisory_xact_lock(hashtextextended(${claim}, 0)))
              order by k.workspace_id, k.id`,
    queue: secretHashes.join(),
    read: (moment) => {
      const calls = callsInWindow(moment);
      const window = sql`,
          (select l.key_call ${calls} order by l.admitted_at, l.key_call limit 1) as oldest_call,
          (select l.admitted_at ${calls} order by l.admitted_at, l.key_call limit 1) as oldest_at`;
      return sql`
        select ${isWindowRead ? notBeforeLastCall(moment) : moment(0)} as now, k.secret_hash, k.id, k.workspace_id, k.is_all_teams, k.call_count, k.last_used_at,
          k.scope, k.expires_at, k.networks, k.monthly_budget, k.budget_month, k.budget_used, k.requests_per_minute,
          case when k.is_all_teams then null else
            (select json_agg(t.team_id order by t.team_id) from api_key_teams t
              where t.workspace_id = k.workspace_id and t.key_id = k.id) end as team_ids,
          ${deletedTeamIds} as deleted_team_ids,
          (select w.subscription from workspaces w where w.id = k.workspace_id and w.deleted_at is null) as subscription,
          (select m.month from quota_months m where m.workspace_id = k.workspace_id
            order by m.month desc limit 1) as newest_month${isWindowRead ? window : sql``}
        from api_keys k where ${keys}`;
    },
  };
}

/** The IDs in a JSON column. */
export const idsOf = (column: unknown): string[] => fromJson<string[] | null>(column) ?? [];

/** When the call after the first `skip` calls of a key in the window was admitted. */
export async function findAdmittedAt(
  transaction: Transaction,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
  { from, to }: { from: string; to: string },
  skip: number,
): Promise<number | undefined> {
  const row = await transaction.first<{ admitted_at: string }>(
    sql`select admitted_at from ledger
        where workspace_id = ${workspaceId} and key_id = ${id} and admitted_at > ${from} and admitted_at <= ${to}
        order by admitted_at, key_call limit 1 offset ${skip}`,
  );
  return row && Date.parse(row.admitted_at);
}

/** Lists the next calls of a workspace behind a position, by time. */
export const listCallsAfter = (
  transaction: Transaction,
  workspaceId: string,
  after: { readonly admitted_at: string; readonly id: string },
  limit: number,
): Promise<{ key_id: string; key_call: number; admitted_at: string; id: string }[]> =>
  transaction.all(
    sql`select key_id, key_call, admitted_at, id from ledger
        where workspace_id = ${workspaceId} and (admitted_at, id) > (${after.admitted_at}, ${after.id})
        order by admitted_at, id limit ${limit}`,
  );

/** A key with the calls that were admitted so far. */
export interface CountedKey extends Readonly<Record<string, string | number>> {
  readonly workspace_id: string;
  readonly id: string;
  readonly call_count: number;
  readonly last_used_at: string;
}

/** Writes how many calls of these locked keys were admitted so far. */
export const updateCallCounts = (transaction: Transaction, keys: readonly CountedKey[]): void =>
  transaction.update("api_keys", ["workspace_id", "id"], keys);

/** What a key with a budget has drawn in a month. */
export interface DrawnBudget extends Readonly<Record<string, string | number>> {
  readonly workspace_id: string;
  readonly id: string;
  readonly budget_month: string;
  readonly budget_used: number;
}

/** Writes what these locked keys have drawn from their budgets. */
export const updateBudgets = (transaction: Transaction, keys: readonly DrawnBudget[]): void =>
  transaction.update("api_keys", ["workspace_id", "id"], keys);

/** Draws units from a balance. The statement fails, and the transaction with it, where the balance is too low. */
export const drawingUnits = (workspaceId: string, month: string, units: number): Sql =>
  sql`update quota_months set balance = balance - ${units} where workspace_id = ${workspaceId} and month = ${month}`;

export const insertLedgerEntries = (transaction: Transaction, entries: readonly ColumnsOf<LedgerEntry>[]): void =>
  transaction.insert("ledger", entries);

/** The same fields, as a type that rows of any table match. */
type ColumnsOf<Row> = { readonly [Name in keyof Row]: Row[Name] };

/**
 * Inserts rows whose `balance_after` is relative to the balance of the month, which is known only now that the units are drawn.
 * PostgreSQL only: SQLite knows its balances. @returns the balances after each call, by request ID
 */
export async function insertLedgerEntriesAfterDraw(
  transaction: Transaction,
  month: string,
  entries: readonly LedgerEntry[],
): Promise<Map<string, number>> {
  const rows = JSON.stringify(entries);
  const inserted = await transaction.all<{ id: string; balance_after: number }>(
    sql`insert into ledger (workspace_id, id, key_id, key_call, operation, status, units, balance_after, team_id, admitted_at,
          error_code, error_message, duration_microseconds, client_address)
        select r.workspace_id, r.id, r.key_id, r.key_call, r.operation, r.status, r.units,
          r.balance_after + (select q.balance from quota_months q where q.workspace_id = r.workspace_id and q.month = ${month}),
          r.team_id, r.admitted_at, r.error_code, r.error_message, r.duration_microseconds, r.client_address
        from json_populate_recordset(null::ledger, ${rows}::text::json) r
        returning id, balance_after`,
  );
  return new Map(inserted.map((row) => [row.id, row.balance_after]));
}

/**
 * The balance after a call that the ledger has; undefined where it has none. It locks the key first, as the call itself does, and so waits
 * for a commit in progress. It finds the key by ID, because a rotation or a deletion may have changed its secret.
 */
export async function findBalanceAfter(
  transaction: Transaction,
  { workspace_id, key_id, id }: Pick<LedgerEntry, "workspace_id" | "key_id" | "id">,
): Promise<number | undefined> {
  transaction.lock("change", sql`select id from api_keys where workspace_id = ${workspace_id} and id = ${key_id}`);
  const row = await transaction.first<{ balance_after: number }>(
    sql`select balance_after from ledger where workspace_id = ${workspace_id} and id = ${id}`,
  );
  return row?.balance_after;
}
