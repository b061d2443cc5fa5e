// The rows of API keys, and what the ledger says of their last minute.
import type { Transaction } from "../database/database.ts";
import { assignments, type Sql, sql, type Value } from "../database/sql.ts";

export interface KeyRow {
  id: string;
  workspace_id: string;
  name: string;
  secret_start: string;
  is_active: boolean | number;
  is_all_teams: boolean | number;
  created_at: string;
  last_used_at: string | null;
  deactivated_at: string | null;
}

const columns = sql`id, workspace_id, name, secret_start, is_active, is_all_teams, created_at, last_used_at, deactivated_at`;

/** A span of time that ends now. Calls of a later time, left by a clock that was wrong, are not in it. */
export interface Span {
  /** Exclusive. */
  readonly from: string;
  /** Inclusive. */
  readonly to: string;
}

const callsIn = (span: Span): Sql => sql`
  from ledger l where l.workspace_id = k.workspace_id and l.key_id = k.id
    and l.admitted_at > ${span.from} and l.admitted_at <= ${span.to}`;

/**
 * An active key with everything that admission decides on, read in one statement in the call's own transaction. Scalar
 * subqueries, because SQLite answers these single rows several times faster so than by joins; PostgreSQL does not mind.
 */
export interface AdmissionRow {
  id: string;
  workspace_id: string;
  is_all_teams: boolean | number;
  call_count: number;
  subscription: string;
  /** Null until the month's first call opens it. */
  balance: number | null;
  /** The first and the last call in the window by their number, and the first by its time; null when there is none. */
  oldest_call: number | null;
  newest_call: number | null;
  oldest_at: string | null;
}

export const findAdmission = (
  transaction: Transaction,
  secretHash: string,
  month: string,
  window: Span,
): Promise<AdmissionRow | undefined> =>
  transaction.first<AdmissionRow>(
    sql`select k.id, k.workspace_id, k.is_all_teams, k.call_count,
          (select w.subscription from workspaces w where w.id = k.workspace_id) as subscription,
          (select m.balance from quota_months m where m.workspace_id = k.workspace_id and m.month = ${month}) as balance,
          (select l.key_call ${callsIn(window)} order by l.admitted_at, l.key_call limit 1) as oldest_call,
          (select l.key_call ${callsIn(window)} order by l.admitted_at desc, l.key_call desc limit 1) as newest_call,
          (select l.admitted_at ${callsIn(window)} order by l.admitted_at, l.key_call limit 1) as oldest_at
        from api_keys k where k.secret_hash = ${secretHash} and k.is_active = ${true}`,
  );

/** When the call was admitted that comes after the first `skip` calls of a key in the window. */
export async function findAdmittedAt(
  transaction: Transaction,
  { workspace_id, id }: { workspace_id: string; id: string },
  window: Span,
  skip: number,
): Promise<string | undefined> {
  const row = await transaction.first<{ admitted_at: string }>(
    sql`select admitted_at from ledger
        where workspace_id = ${workspace_id} and key_id = ${id}
          and admitted_at > ${window.from} and admitted_at <= ${window.to}
        order by admitted_at, key_call limit 1 offset ${skip}`,
  );
  return row?.admitted_at;
}

/** When the newest call of all keys was admitted. */
export async function findNewestCall(transaction: Transaction): Promise<string | undefined> {
  const row = await transaction.first<{ at: string | null }>(sql`select max(last_used_at) as at from api_keys`);
  return row?.at ?? undefined;
}

/** Counts an admitted call. */
export const countCall = (transaction: Transaction, workspaceId: string, keyId: string): Promise<number> =>
  transaction.run(
    sql`update api_keys set call_count = call_count + 1, last_used_at = ${transaction.now}
        where workspace_id = ${workspaceId} and id = ${keyId}`,
  );

export async function findKeyTeams(transaction: Transaction, workspaceId: string, keyId: string): Promise<string[]> {
  const rows = await transaction.all<{ team_id: string }>(
    sql`select team_id from api_key_teams where workspace_id = ${workspaceId} and key_id = ${keyId} order by team_id`,
  );
  return rows.map((row) => row.team_id);
}

export async function insertKey(
  transaction: Transaction,
  key: Readonly<Record<string, Value>> & { id: string; workspace_id: string },
  teamIds: readonly string[],
): Promise<void> {
  await transaction.insert("api_keys", [{ ...key, call_count: 0, created_at: transaction.now }]);
  await transaction.insert(
    "api_key_teams",
    teamIds.map((team_id) => ({ workspace_id: key.workspace_id, key_id: key.id, team_id })),
  );
}

/** The keys of a workspace that were not deleted, oldest first. */
export const listKeys = (transaction: Transaction, workspaceId: string): Promise<KeyRow[]> =>
  transaction.all<KeyRow>(
    sql`select ${columns} from api_keys where workspace_id = ${workspaceId} and deleted_at is null order by id`,
  );

export const findKey = (transaction: Transaction, id: string): Promise<KeyRow | undefined> =>
  transaction.first<KeyRow>(sql`select ${columns} from api_keys where id = ${id} and deleted_at is null`);

export const updateKey = (
  transaction: Transaction,
  { workspace_id, id }: KeyRow,
  changes: Readonly<Record<string, Value>>,
): Promise<number> =>
  transaction.run(sql`update api_keys set ${assignments(changes)} where workspace_id = ${workspace_id} and id = ${id}`);
