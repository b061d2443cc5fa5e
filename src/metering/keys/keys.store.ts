// The rows of API keys, and their last minute in the ledger.
import { limits } from "../../contract/limits.ts";
import type { Moment, Opening, Transaction } from "../../platform/database/database.ts";
import { assignments, fromJson, join, list, type Sql, sql, type Value } from "../../platform/database/sql.ts";
import { startOf } from "./secret.ts";

export interface KeyRow {
  id: string;
  workspace_id: string;
  name: string;
  secret_start: string;
  is_active: boolean | number;
  is_all_teams: boolean | number;
  created_at: string;
  created_by: string | null;
  last_used_at: string | null;
  deactivated_at: string | null;
  /** The end of the old secret's validity, which may be in the past. */
  previous_secret_until: string | null;
}

const columns = sql`id, workspace_id, name, secret_start, is_active, is_all_teams, created_at, created_by, last_used_at, deactivated_at,
  previous_secret_until`;

/**
 * The calls of a key in the window. Calls up to one window in the future count, so that the correction of a clock does not empty the
 * window. Calls further ahead were recorded by a wrong clock.
 */
const callsInWindow = (moment: Moment): Sql => sql`
  from ledger l where l.workspace_id = k.workspace_id and l.key_id = k.id
    and l.admitted_at > ${moment(-limits.rateWindowSeconds)} and l.admitted_at <= ${moment(limits.rateWindowSeconds)}`;

/**
 * An active key with everything that admission depends on, read by one statement in the call's own transaction. It uses scalar
 * subqueries because SQLite is several times faster with them than with joins; PostgreSQL is as fast with either.
 */
export interface AdmissionRow {
  now: string;
  id: string;
  workspace_id: string;
  is_all_teams: boolean | number;
  /** JSON: null for a key with access to all teams. */
  team_ids: unknown;
  call_count: number;
  subscription: string;
  /** The newest opened month; null before the first. */
  newest_month: string | null;
  /** Number and time of the first call in the window; null when it is empty. */
  oldest_call: number | null;
  oldest_at: string | null;
}

/**
 * The statements that open a call's transaction: they lock the key, then read it. With the lock, the calls of a key run one after another,
 * and each sees the earlier ones in its window. Both statements see the same key, because the hash is unique.
 */
export function admissionOf(secretHash: string): Opening<AdmissionRow> {
  const key = sql`k.secret_hash = ${secretHash} and k.is_active = ${true}`;
  return {
    lock: sql`select k.id from api_keys k where ${key}`,
    read: (moment) => {
      const calls = callsInWindow(moment);
      return sql`
        select ${moment(0)} as now, k.id, k.workspace_id, k.is_all_teams, k.call_count,
          case when k.is_all_teams then null else
            (select json_agg(t.team_id order by t.team_id) from api_key_teams t
              where t.workspace_id = k.workspace_id and t.key_id = k.id) end as team_ids,
          (select w.subscription from workspaces w where w.id = k.workspace_id) as subscription,
          (select m.month from quota_months m where m.workspace_id = k.workspace_id
            order by m.month desc limit 1) as newest_month,
          (select l.key_call ${calls} order by l.admitted_at, l.key_call limit 1) as oldest_call,
          (select l.admitted_at ${calls} order by l.admitted_at, l.key_call limit 1) as oldest_at
        from api_keys k where ${key}`;
    },
  };
}

export interface KeyOfSecret {
  readonly workspace_id: string;
  readonly id: string;
  readonly is_active: boolean | number;
  /** The current secret's. Another one than was looked for: a rotation replaced that. */
  readonly secret_hash: string;
  /** How long the replaced secret stays valid; null without a rotation. */
  readonly previous_secret_until: string | null;
}

/**
 * Finds the key with this secret, inactive ones too, or with a secret that replaced it. The caller decides whether the replaced one is
 * still valid, after it has locked the key: the time is read only under the lock.
 */
export const findKeyOfSecret = (transaction: Transaction, secretHash: string): Promise<KeyOfSecret | undefined> =>
  transaction.first<KeyOfSecret>(
    sql`select workspace_id, id, is_active, secret_hash, previous_secret_until from api_keys
        where secret_hash = ${secretHash} or previous_secret_hash = ${secretHash}`,
  );

/** The teams of a key that is limited to some. */
export const teamsOf = (row: Pick<AdmissionRow, "team_ids">): string[] => fromJson<string[] | null>(row.team_ids) ?? [];

/** When the call after the first `skip` calls of a key in the window was admitted. */
export async function findAdmittedAt(
  transaction: Transaction,
  { workspace_id, id }: { workspace_id: string; id: string },
  { from, to }: { from: string; to: string },
  skip: number,
): Promise<string | undefined> {
  const row = await transaction.first<{ admitted_at: string }>(
    sql`select admitted_at from ledger
        where workspace_id = ${workspace_id} and key_id = ${id} and admitted_at > ${from} and admitted_at <= ${to}
        order by admitted_at, key_call limit 1 offset ${skip}`,
  );
  return row?.admitted_at;
}

/** When the newest call of any key was admitted. */
export async function findNewestCall(transaction: Transaction): Promise<string | undefined> {
  const row = await transaction.first<{ at: string | null }>(sql`select max(last_used_at) as at from api_keys`);
  return row?.at ?? undefined;
}

/** Counts an admitted call. */
export const countCall = (transaction: Transaction, workspaceId: string, keyId: string): void =>
  transaction.send(
    sql`update api_keys set call_count = call_count + 1, last_used_at = ${transaction.now}
        where workspace_id = ${workspaceId} and id = ${keyId}`,
  );

export async function findKeyTeams(transaction: Transaction, workspaceId: string, keyId: string): Promise<string[]> {
  const rows = await transaction.all<{ team_id: string }>(
    sql`select team_id from api_key_teams where workspace_id = ${workspaceId} and key_id = ${keyId} order by team_id`,
  );
  return rows.map((row) => row.team_id);
}

/** Finds the teams of several keys. */
export async function findTeamsOfKeys(
  transaction: Transaction,
  workspaceId: string,
  keyIds: readonly string[],
): Promise<{ key_id: string; team_id: string }[]> {
  if (keyIds.length === 0) return [];
  return transaction.all(
    sql`select key_id, team_id from api_key_teams where workspace_id = ${workspaceId} and key_id in ${list(keyIds)}
        order by key_id, team_id`,
  );
}

export function insertKey(
  transaction: Transaction,
  key: Readonly<Record<string, Value>> & { id: string; workspace_id: string },
  teamIds: readonly string[],
): void {
  transaction.insert("api_keys", [{ ...key, call_count: 0, created_at: transaction.now }]);
  insertTeamsOfKey(transaction, key, teamIds);
}

const insertTeamsOfKey = (
  transaction: Transaction,
  { workspace_id, id }: Pick<KeyRow, "workspace_id" | "id">,
  teamIds: readonly string[],
): void =>
  transaction.insert(
    "api_key_teams",
    teamIds.map((team_id) => ({ workspace_id, key_id: id, team_id })),
  );

/** Limits a key to these teams and no others. */
export function replaceTeams(
  transaction: Transaction,
  key: Pick<KeyRow, "workspace_id" | "id">,
  teamIds: readonly string[],
): void {
  transaction.send(sql`delete from api_key_teams where workspace_id = ${key.workspace_id} and key_id = ${key.id}`);
  insertTeamsOfKey(transaction, key, teamIds);
}

/** The keys of a workspace that were not deleted, oldest first. */
export const listKeys = (transaction: Transaction, workspaceId: string): Promise<KeyRow[]> =>
  transaction.all<KeyRow>(
    sql`select ${columns} from api_keys where workspace_id = ${workspaceId} and deleted_at is null order by id`,
  );

/** A search for keys of a workspace. */
export interface KeySearch {
  /** Part of a name, in any case, or the start of a secret. */
  readonly text: string | undefined;
  /** Only keys that are limited to some of these teams. */
  readonly within: readonly string[] | undefined;
  /** Only keys that were created before this one. */
  readonly beforeId: string | undefined;
  readonly limit: number;
}

/** The keys of a workspace, newest first. */
export async function findKeys(
  transaction: Transaction,
  workspaceId: string,
  { text, within, beforeId, limit }: KeySearch,
): Promise<KeyRow[]> {
  const conditions = [
    sql`k.workspace_id = ${workspaceId} and k.deleted_at is null`,
    ...(beforeId === undefined ? [] : [sql`k.id < ${beforeId}`]),
    ...(text === undefined ? [] : [matching(text)]),
    ...(within === undefined ? [] : [limitedTo(within)]),
  ];
  return transaction.all<KeyRow>(
    sql`select ${columns} from api_keys k where ${join(conditions, " and ")} order by id desc limit ${limit}`,
  );
}

/** SQLite ignores the case of ASCII letters only. Text written as in the name is always found. */
function matching(text: string): Sql {
  const pattern = `%${text.replaceAll(/[!%_]/g, "!$&")}%`;
  const start = startOf(text);
  return sql`(lower(k.name) like lower(${pattern}) escape '!'
    or substr(k.secret_start, 1, cast(${start.length} as integer)) = ${start})`;
}

function limitedTo(teamIds: readonly string[]): Sql {
  const teams = sql`select 1 from api_key_teams t where t.workspace_id = k.workspace_id and t.key_id = k.id`;
  return sql`k.is_all_teams = ${false} and exists (${teams})
    and not exists (${teams} and t.team_id not in ${list(teamIds)})`;
}

/** Selects a key, within a workspace if one is given. */
export const keyById = (id: string, workspaceId?: string): Sql =>
  workspaceId === undefined
    ? sql`select ${columns} from api_keys where id = ${id} and deleted_at is null`
    : sql`select ${columns} from api_keys where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null`;

export const findKey = (transaction: Transaction, id: string, workspaceId?: string): Promise<KeyRow | undefined> =>
  transaction.first<KeyRow>(keyById(id, workspaceId));

export const updateKey = (
  transaction: Transaction,
  { workspace_id, id }: KeyRow,
  changes: Readonly<Record<string, Value>>,
): void =>
  transaction.send(
    sql`update api_keys set ${assignments(changes)} where workspace_id = ${workspace_id} and id = ${id}`,
  );

/** Replaces the secret. The old one stays valid until a moment, or ends now. */
export const replaceSecret = (
  transaction: Transaction,
  { workspace_id, id }: KeyRow,
  { hash, start, previousSecretUntil }: { hash: string; start: string; previousSecretUntil: string | undefined },
): void =>
  transaction.send(
    previousSecretUntil === undefined
      ? sql`update api_keys set previous_secret_hash = null, previous_secret_until = null, secret_hash = ${hash}, secret_start = ${start}
            where workspace_id = ${workspace_id} and id = ${id}`
      : sql`update api_keys set previous_secret_hash = secret_hash, previous_secret_until = ${previousSecretUntil}, secret_hash = ${hash},
              secret_start = ${start}
            where workspace_id = ${workspace_id} and id = ${id}`,
  );
